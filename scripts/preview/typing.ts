/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { type Answer, act, ask, isActing, showAnswer } from './asking.ts'
import type { Texts } from './fields.ts'

// Forms in a browser: what is typed is checked while one types, and kept until it is saved.

/** Forms come disabled: nothing is typed or sent before the script listens. */
export const enableForms = (page: Document): void => {
  for (const one of page.querySelectorAll('fieldset')) one.disabled = false
}

export const listenToForms = (): void => {
  for (const form of document.querySelectorAll<HTMLFormElement>('.sp-do')) startForm(form)
  document.addEventListener('submit', onSubmit)
  document.addEventListener('keydown', onKey)
  document.addEventListener('input', onInput)
  document.addEventListener('paste', onPictures)
  document.addEventListener('drop', onPictures)
  document.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') && chooserAt(event.target))
      event.preventDefault()
  })
  addEventListener('beforeunload', (event) => {
    if (isAnyTyped()) event.preventDefault()
  })
}

/** What the fields of forms said before anything was typed. */
const first = new Map<HTMLFormElement, Texts>()

const startForm = (form: HTMLFormElement): void => {
  first.set(form, textsIn(form))
  const kept = sessionStorage.getItem(nameOf(form))
  if (kept !== null) {
    const { base, values } = JSON.parse(kept) as { base?: string; values: Texts }
    // the file may say something else by now: then both are shown
    if (base !== undefined) form.dataset.base = base
    for (const [key, texts] of Object.entries(values)) fill(fieldIn(form, key), texts)
  }
  if (form.matches('#sp-form')) checkLater(form, 0)
  showTyped(form)
}

/** Under which name a tab keeps what is typed into a form. */
const nameOf = ({ dataset }: HTMLFormElement): string =>
  `shotpress ${dataset.action} ${location.pathname}${location.search}`

/** What a form's fields say that they did not say at first. */
const changedIn = (form: HTMLFormElement): Texts => {
  const before = first.get(form)
  const isSame = (key: string, texts: readonly string[]): boolean =>
    texts.join('\0') === before?.[key]?.join('\0')
  const changed = Object.entries(textsIn(form)).filter(([key, texts]) => !isSame(key, texts))
  return Object.fromEntries(changed)
}

/**
 * News for a page with the form of a file: one into which nothing is typed shows what the
 * file says now.
 */
export const renewForm = (base: string | undefined): void => {
  const form = document.querySelector<HTMLFormElement>('#sp-form')
  if (form === null || isActing || form.dataset.base === base) return
  if (isAnyTyped()) checkLater(form, 0)
  else location.reload()
}

const isTyped = (form: HTMLFormElement): boolean => Object.keys(changedIn(form)).length > 0

const isAnyTyped = (among = 'form'): boolean =>
  [...first.keys()].some((form) => form.matches(among) && isTyped(form))

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
  const typed = form.matches('#sp-form')
    ? { values: changedIn(form) }
    : Object.fromEntries(Object.entries(textsIn(form)).map(([key, [text]]) => [key, text]))
  const pressed = button instanceof HTMLButtonElement &&
    button.name !== '' && { [button.name]: button.value }
  return { ...form.dataset, ...typed, ...pressed }
}

const onSubmit = async (event: SubmitEvent): Promise<void> => {
  const { target: form, submitter } = event
  if (!(form instanceof HTMLFormElement)) return
  event.preventDefault()
  await taken
  checks++
  // the file that is typed into has another name then
  if (form.dataset.action === 'rename' && isAnyTyped('#sp-form'))
    return showAnswer(form, {
      status: 0,
      said: 'First save what you typed above, or forget it',
    })
  const focused = document.activeElement
  if (await act(form, requestOf(form, submitter), () => forget(form))) return
  // who types again already stays there
  if (document.activeElement !== focused) return
  // where one can go on: at what is wrong, or at the choice between two versions
  const wrong = form.querySelector<HTMLElement>(
    '#sp-conflict button, .sp-field [aria-invalid=true]',
  )
  const further = wrong?.closest('details')
  if (further) further.open = true
  wrong?.focus()
}

const onKey = (event: KeyboardEvent): void => {
  const isSave = event.key.toLowerCase() === 's' && !event.shiftKey && !event.altKey
  if (!isSave || !(event.ctrlKey || event.metaKey)) return
  const own = event.target instanceof Element && event.target.closest('form')
  const form = own || document.querySelector<HTMLFormElement>('#sp-form')
  if (form === null) return
  event.preventDefault()
  form.requestSubmit()
}

const onInput = ({ target: input }: Event): void => {
  const form = input instanceof Element && input.closest<HTMLFormElement>('.sp-do')
  if (!form) return
  if (input instanceof HTMLInputElement) {
    // a file that is chosen changes no value yet: what is said of it stays
    if (input.files) return void takePictures(input, [...input.files])
    offerWords(input)
  }
  onTyped(form)
}

/** Words are offered behind those that are there. */
const offerWords = ({ list, value }: HTMLInputElement): void => {
  const start = /^(?:.*,)?/.exec(value)?.[0]
  for (const option of list?.options ?? [])
    option.value = `${start}${start && ' '}${option.dataset.word}`
}

/** What a button of a form does that sends nothing. */
export const onButton = (button: HTMLButtonElement): void => {
  const { form } = button
  if (form === null) return
  const field = button.closest<HTMLElement>('.sp-field')
  if (button.matches('.sp-forget')) {
    forget(form)
    location.reload()
  } else if (field && button.matches('.sp-fix, .sp-less')) {
    // a row that says nothing is none
    fill(button.closest('li') ?? field, [button.value])
    onTyped(form)
    field.querySelector<HTMLElement>('[id^=f-], input')?.focus()
  }
}

const textsIn = (form: HTMLFormElement): Texts => {
  const fields = form.querySelectorAll<HTMLElement>('.sp-field')
  return Object.fromEntries(
    Array.from(fields, (field) => [field.dataset.key, controlsIn(field).map(textIn)]),
  )
}

const controlsIn = (place: Element) => [
  ...place.querySelectorAll<HTMLInputElement>(
    ':is(input:not([type=file]), textarea, select)',
  ),
]

/** Phones put a space behind a word that they offer; texts of several lines stay as they are. */
const textIn = ({ type, checked, value }: HTMLInputElement): string => {
  if (type === 'textarea') return value
  return type === 'checkbox' && !checked ? '' : value.trim()
}

const fieldIn = (form: HTMLFormElement, key: string): Element | null =>
  form.querySelector(`.sp-field[data-key="${key}"]`)

/** Puts texts into the controls of a field or a row. */
const fill = (place: Element | null, texts: readonly string[]): void => {
  for (const [at, control] of (place ? controlsIn(place) : []).entries()) {
    const text = texts[at] ?? ''
    if (control.type === 'checkbox') control.checked = text !== ''
    else control.value = text
  }
}

/**
 * Where pictures go that are dropped or pasted: into the field, else into the first of the
 * page that takes some.
 */
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
  takePictures(input, files)
}

/** A picture as it is sent: in Base64. */
const base64Of = (file: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('loadend', () =>
      resolve(String(reader.result).replace(/^.*,/, '')),
    )
    reader.readAsDataURL(file)
  })

const mostMiB = 10

/** Sends a picture; one that is too large need not be sent. */
const sendPicture = async (file: File, about: object): Promise<Answer> => {
  const size = file.size / 2 ** 20
  if (size <= mostMiB) {
    const answer = await ask('/-/do', { ...about, picture: await base64Of(file) })
    return { ...answer, said: `${file.name}: ${answer.said}` }
  }
  const said = `${file.name}: it has ${size.toFixed(1)} MiB, and a picture may have ${mostMiB}: save it smaller`
  return { status: 0, said }
}

/** Settled when the pictures that were chosen last are in their form: a save waits for them. */
let taken: unknown

/** Puts a picture into its field; in a form for new works, makes a work of each. */
const takePictures = (input: HTMLInputElement, files: readonly File[]): void => {
  const { form } = input
  const key = input.closest<HTMLElement>('.sp-field')?.dataset.key
  const [file] = files
  input.value = ''
  if (form === null || file === undefined) return
  taken = key === undefined ? makeWorks(form, files) : takePicture(form, key, file)
}

const takePicture = async (form: HTMLFormElement, key: string, file: File): Promise<void> => {
  const answer = await sendPicture(file, { ...form.dataset, action: 'picture', key })
  showAnswer(form, answer)
  if (answer.value === undefined) return
  fill(fieldIn(form, key), [answer.value])
  onTyped(form)
}

/** What is typed beside the pictures is the first one's. */
const makeWorks = async (form: HTMLFormElement, files: readonly File[]): Promise<void> => {
  let to = ''
  for (const [at, file] of files.entries()) {
    const about = at === 0 ? requestOf(form) : form.dataset
    const answer = await sendPicture(file, { ...about, name: file.name })
    const left = files.slice(at + 1).map(({ name }) => name)
    if (answer.to === undefined) {
      const others = left.length > 0 ? ` (not made either: ${left.join(', ')})` : ''
      return showAnswer(form, { ...answer, said: answer.said + others })
    }
    forget(form)
    to = at === 0 ? answer.to : `/members/${form.dataset.username}/`
  }
  location.assign(to)
}
