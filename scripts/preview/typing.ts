/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { act, ask, showAnswer } from './asking.ts'

// Forms in a browser: what is typed is checked while one types, and kept until it is saved.

type Value = string | readonly Value[] | { readonly [key: string]: Value }
type Values = Readonly<Record<string, Value>>

/** Forms come disabled: nothing is typed or sent before the script listens. */
export const enableForms = (page: Document): void => {
  for (const one of page.querySelectorAll('fieldset')) one.disabled = false
}

export const listenToForms = (): void => {
  for (const form of document.querySelectorAll<HTMLFormElement>('.sp-do')) startForm(form)
  document.addEventListener('submit', onSubmit)
  document.addEventListener('keydown', onKey)
  document.addEventListener('click', onClick)
  document.addEventListener('change', onChoose)
  document.addEventListener('paste', onPictures)
  document.addEventListener('drop', onPictures)
  document.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') && chooserAt(event.target))
      event.preventDefault()
  })
  addEventListener('beforeunload', (event) => {
    if ([...first.keys()].some(isTyped)) event.preventDefault()
  })
}

const formOf = (target: EventTarget | null): HTMLFormElement | null =>
  target instanceof Element ? target.closest<HTMLFormElement>('.sp-do') : null

/** What the fields of forms said before anything was typed. */
const first = new Map<HTMLFormElement, Values>()

const startForm = (form: HTMLFormElement): void => {
  first.set(form, typedIn(form))
  const kept = sessionStorage.getItem(nameOf(form))
  if (kept !== null) {
    const { base, values } = JSON.parse(kept) as { base?: string; values: Values }
    // the file may say something else by now: then both are shown
    if (base !== undefined) form.dataset.base = base
    for (const [key, value] of Object.entries(values)) fill(form, key, value)
  }
  // a file that is chosen changes no value yet: what is said of it stays
  form.addEventListener(
    'input',
    ({ target }) => (target as HTMLInputElement).files ?? onTyped(form),
  )
  if (form.matches('#sp-form')) checkLater(form, 0)
  showTyped(form)
}

/** Under which name a tab keeps what is typed into a form. */
const nameOf = ({
  dataset: { action = '', file = '', username = '', from = '' },
}: HTMLFormElement): string => ['shotpress-typed', action, file, username, from].join(' ')

/** What a form's fields say that they did not say at first. */
const changedIn = (form: HTMLFormElement): Values => {
  const before = first.get(form)
  const changed = Object.entries(typedIn(form)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before?.[key]),
  )
  return Object.fromEntries(changed)
}

const isTyped = (form: HTMLFormElement): boolean => Object.keys(changedIn(form)).length > 0

const onTyped = (form: HTMLFormElement): void => {
  const { base } = form.dataset
  sessionStorage.setItem(nameOf(form), JSON.stringify({ base, values: changedIn(form) }))
  showTyped(form)
  checkLater(form)
}

const showTyped = (form: HTMLFormElement): void => {
  form.querySelector('.sp-typed')?.toggleAttribute('hidden', !isTyped(form))
}

const forget = (form: HTMLFormElement): void => {
  sessionStorage.removeItem(nameOf(form))
  first.delete(form)
}

/** Only the answer to the last check is shown, and none once the form was sent. */
let checks = 0

const checkLater = (form: HTMLFormElement, afterMs = 250): void => {
  if (form.dataset.action === 'new-work') return
  const number = ++checks
  setTimeout(async () => {
    if (number !== checks) return
    const answer = await ask('/-/check', requestOf(form))
    if (number === checks) showAnswer(form, answer)
  }, afterMs)
}

/** What a form is about, what was typed into it, and what the button that was pressed adds. */
const requestOf = (form: HTMLFormElement, button?: HTMLElement | null): object => {
  // not form.id: the field for the key "id" stands there
  const typed = form.matches('#sp-form') ? { values: changedIn(form) } : typedIn(form)
  const pressed = button instanceof HTMLButtonElement &&
    button.name !== '' && { [button.name]: button.value }
  return { ...form.dataset, ...typed, ...pressed }
}

const onSubmit = async (event: SubmitEvent): Promise<void> => {
  const form = formOf(event.target)
  if (form === null) return
  event.preventDefault()
  checks++
  if (await act(form, requestOf(form, event.submitter), () => forget(form))) return
  // where one can go on: at what is wrong, or at the choice between two versions
  const wrong = form.querySelector<HTMLElement>('#sp-conflict button, [aria-invalid=true]')
  const further = wrong?.closest('details')
  if (further) further.open = true
  wrong?.focus()
}

const onKey = (event: KeyboardEvent): void => {
  const { target: input, key } = event
  const form = formOf(input) ?? document.querySelector<HTMLFormElement>('#sp-form')
  if (key === 's' && (event.ctrlKey || event.metaKey) && form !== null) {
    event.preventDefault()
    form.requestSubmit()
  }
  if (!(input instanceof HTMLInputElement) || !['Enter', ','].includes(key)) return
  const field = input.closest<HTMLElement>('.sp-field:has(.sp-chips)')
  // not when the field is left: what a click is about to hit would move
  if (field === null || input.value === '') return
  event.preventDefault()
  addChips(field, input)
  onTyped(input.form!)
}

const onClick = ({ target }: Event): void => {
  const button = target instanceof Element ? target.closest('button') : null
  const form = button?.form
  if (!button || !form) return
  const field = button.closest<HTMLElement>('.sp-field')
  if (button.matches('.sp-forget')) {
    forget(form)
    location.reload()
  }
  if (field === null || !button.matches('.sp-more, .sp-less, .sp-fix')) return
  if (button.matches('.sp-fix')) fill(form, field.dataset.key!, button.value)
  if (button.matches('.sp-more')) addItem(field)
  if (button.matches('.sp-less')) button.closest('li')!.remove()
  const next = button.matches('.sp-more') ? 'li:last-child input' : '[id^=f-]'
  field.querySelector<HTMLElement>(next)?.focus()
  onTyped(form)
}

/** Adds a word or a row to the list of a field. */
const addItem = (field: HTMLElement, item: Value = {}): void => {
  const made = field.querySelector('template')!.content.cloneNode(true) as DocumentFragment
  const isWord = typeof item === 'string'
  for (const input of made.querySelectorAll('input'))
    input.value = isWord ? item : String((item as Values)[input.dataset.name!] ?? '')
  if (isWord) {
    made.querySelector('bdi')!.textContent = item
    made.querySelector('button')!.setAttribute('aria-label', `Remove ${item}`)
  }
  field.querySelector('ul')!.append(made)
}

/** What the fields of a form say, by key. */
const typedIn = (form: HTMLFormElement): Values => {
  const data = new FormData(form)
  if (!form.matches('#sp-form'))
    return Object.fromEntries([...data].filter(([, value]) => typeof value === 'string')) as Values
  const fields = [...form.querySelectorAll<HTMLElement>('.sp-field')]
  return Object.fromEntries(fields.map((field) => [field.dataset.key!, valueIn(field, data)]))
}

const valueIn = (field: HTMLElement, data: FormData): Value => {
  const texts = data.getAll(field.dataset.key!).map(String)
  if (field.querySelector('.sp-chips')) {
    const chosen = texts.slice(0, -1)
    return [...chosen, ...wordsIn(texts.at(-1) ?? '').filter((word) => !chosen.includes(word))]
  }
  const rows = field.querySelector('.sp-rows')
  // a row without anything in it is none
  if (rows) return [...rows.children].map(rowIn).filter((row) => Object.keys(row).length > 0)
  const [text = ''] = texts
  if (!field.querySelector('[type=datetime-local]')) return text
  const time = text.replace('T', ' ').replace(/ \d\d:\d\d$/, '$&:00')
  return time.replace(' 00:00:00', '')
}

const rowIn = (row: Element): Values => {
  const filled = [...row.querySelectorAll('input')].filter(({ value }) => value !== '')
  return Object.fromEntries(filled.map(({ dataset, value }) => [dataset.name!, value]))
}

/** Puts a value into its field. */
const fill = (form: HTMLFormElement, key: string, value: Value): void => {
  const field = form.querySelector<HTMLElement>(`.sp-field[data-key="${key}"]`)
  const list = field?.querySelector('ul')
  if (field && list) {
    list.replaceChildren()
    for (const one of Array.isArray(value) ? value : []) addItem(field, one)
    return
  }
  const control = form.querySelector<HTMLInputElement>(`[id="f-${key}"], [name="${key}"]`)
  if (control === null || typeof value !== 'string') return
  if (control.type === 'checkbox') control.checked = value !== ''
  else if (control.type !== 'datetime-local') control.value = value
  else control.value = `${value} 00:00:00`.slice(0, 19).replace(' ', 'T')
}

/** The words of a list, as they are typed with commas: one of several words is joined, as `tea-time`. */
const wordsIn = (text: string): readonly string[] =>
  text.split(',').flatMap((one) => one.trim().replace(/^#+/, '').replace(/\s+/g, '-') || [])

/** Makes a chip of each word that was typed, and is not there yet. */
const addChips = (field: HTMLElement, input: HTMLInputElement): void => {
  const there = new Set([...field.querySelectorAll('bdi')].map(({ textContent }) => textContent))
  const words = new Set(wordsIn(input.value))
  const twice = [...words].filter((word) => there.has(word))
  for (const word of words) if (!there.has(word)) addItem(field, word)
  input.value = ''
  field.querySelector('.sp-error')!.textContent =
    twice.length > 0 ? `${twice.join(', ')} is there already` : ''
}

/** Where pictures go that are dropped or pasted: into the field, else into the first of the page that takes some. */
const chooserAt = (target: EventTarget | null): HTMLInputElement | null => {
  const place = target instanceof Element ? target.closest('.sp-field, .sp-do') : null
  const chooser = 'input[type=file]'
  return place?.querySelector(chooser) ?? document.querySelector(`.sp-do ${chooser}`)
}

const onPictures = (event: ClipboardEvent | DragEvent): void => {
  const data = event instanceof DragEvent ? event.dataTransfer : event.clipboardData
  const files = [...(data?.files ?? [])]
  const input = chooserAt(event.target)
  if (input === null || files.length === 0) return
  event.preventDefault()
  void takePictures(input, files)
}

const onChoose = ({ target: input }: Event): void => {
  if (!(input instanceof HTMLInputElement) || !input.files?.length) return
  void takePictures(input, [...input.files])
  input.value = ''
}

/** A picture as it is sent: in Base64. */
const base64Of = (file: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('loadend', () => resolve(String(reader.result).replace(/^.*,/, '')))
    reader.readAsDataURL(file)
  })

const mostMiB = 10

/** Sends a picture; one that is too large need not be sent. */
const sendPicture = async (file: File, about: object) => {
  const size = file.size / 2 ** 20
  if (size <= mostMiB) return ask('/-/do', { ...about, picture: await base64Of(file) })
  const said = `it has ${size.toFixed(1)} MiB, and a picture may have ${mostMiB}: save it smaller`
  return { status: 0, said }
}

/** Puts a picture into its field; in a form for new works, makes a work of each. */
const takePictures = async (input: HTMLInputElement, files: readonly File[]): Promise<void> => {
  const form = input.form!
  const field = input.closest<HTMLElement>('.sp-field')
  let to = `/members/${form.dataset.username}/`
  for (const [at, file] of files.entries()) {
    const about = field ? { action: 'picture', key: field.dataset.key } : { name: file.name }
    const answer = await sendPicture(file, { ...form.dataset, ...about })
    const isDone = answer.status === 200
    const left = isDone ? [] : files.slice(at + 1).map(({ name }) => name)
    const others = left.length > 0 ? ` (not made either: ${left.join(', ')})` : ''
    showAnswer(form, { ...answer, said: `${file.name}: ${answer.said}${others}` })
    if (!isDone) return
    if (field) {
      fill(form, field.dataset.key!, answer.value!)
      return onTyped(form)
    }
    if (files.length === 1) to = answer.to!
  }
  location.assign(to)
}
