/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Forms in a browser: what is typed is checked and shown at once, and nothing is written before it is sent. */

type Value = string | readonly Value[] | { readonly [key: string]: Value }
type Answer = {
  readonly status: number
  readonly said?: string
  /** The page that shows what was done. */
  readonly to?: string
  /** What the key of a picture is to say. */
  readonly value?: string
  /** What elements of the page hold now, by their ids: markup. */
  readonly parts?: Readonly<Record<string, string>>
}

/** The right to edit comes with the address that the terminal shows, and stays in this browser. */
const tokenOf = (): string => {
  const given = /^#edit=([\w-]+)$/.exec(location.hash)?.[1]
  if (given !== undefined) {
    localStorage.setItem('shotpress-edit', given)
    history.replaceState(null, '', location.pathname + location.search)
  }
  return localStorage.getItem('shotpress-edit') ?? ''
}

/** Asks the preview for something that only its own pages may ask for. */
export const ask = async (path: string, data: object): Promise<Answer> => {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Shotpress-Edit': tokenOf() },
      body: JSON.stringify(data),
    })
    return { ...(await answer.json()), status: answer.status }
  } catch {
    return { status: 0, said: 'The preview does not answer: nothing was saved' }
  }
}

const show = (form: HTMLFormElement, { said = '', status, parts = {} }: Answer): void => {
  const place = form.querySelector('.sp-said')!
  place.textContent = said
  place.classList.toggle('sp-bad', status !== 200)
  for (const [id, markup] of Object.entries(parts)) {
    // what stays is not said again
    if (shown.get(id) === markup) continue
    shown.set(id, markup)
    document.getElementById(id)!.innerHTML = markup
    document.getElementById(id.replace(/^e-/, 'f-'))?.setAttribute('aria-invalid', String(markup !== ''))
  }
  leadAside()
}

const shown = new Map<string, string>()

/** Links of the view open beside the form, in which something may be typed. */
const leadAside = (): void => {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#sp-view a')) link.target = '_blank'
}

/** A picture as it is sent: in Base64. */
const base64Of = (file: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('loadend', () => resolve(String(reader.result).replace(/^.*,/, '')))
    reader.readAsDataURL(file)
  })

/** Puts a picture into its field; in a form for new works, makes a work of each. */
const takePictures = async (input: HTMLInputElement, files: readonly File[]): Promise<void> => {
  const form = input.form!
  const field = input.closest<HTMLElement>('.sp-field')
  let to = `/members/${form.dataset.username}/`
  for (const file of files) {
    const about = field === null ? { name: file.name } : { action: 'picture', key: field.dataset.key }
    const answer = await ask('/-/do', { ...form.dataset, ...about, picture: await base64Of(file) })
    show(form, { ...answer, said: `${file.name}: ${answer.said}` })
    if (answer.status !== 200) return
    if (field !== null) {
      field.querySelector('input')!.value = answer.value!
      return checkLater(form)
    }
    if (files.length === 1) to = answer.to!
  }
  location.assign(to)
}

/** No word holds a comma or a space. */
const wordsIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean)

/** What the fields of a file's form say, by key. */
const typedIn = (form: HTMLFormElement): readonly (readonly [key: string, value: Value])[] => {
  const data = new FormData(form)
  return [...form.querySelectorAll<HTMLElement>('.sp-field')].map((field) => {
    const { key = '', control } = field.dataset
    const texts = data.getAll(key).map(String)
    if (control === 'words') return [key, texts.flatMap(wordsIn)]
    if (control === 'rows') return [key, [...field.querySelectorAll('li')].map(rowIn)]
    const [text = ''] = texts
    if (control !== 'date') return [key, text]
    const time = text.replace('T', ' ').replace(/ \d\d:\d\d$/, '$&:00')
    return [key, time.replace(' 00:00:00', '')]
  })
}

const rowIn = (row: HTMLElement): Value => {
  const filled = [...row.querySelectorAll('input')].filter(({ value }) => value !== '')
  return Object.fromEntries(filled.map(({ dataset, value }) => [dataset.name, value]))
}

/** What the fields said before anything was typed, as JSON. */
let first: ReadonlyMap<string, string> = new Map()

/** What a form is about, what was typed into it, and what the button that was pressed adds. */
const requestOf = (form: HTMLFormElement, button?: HTMLElement | null): object => {
  const changed = typedIn(form).filter(([key, value]) => JSON.stringify(value) !== first.get(key))
  const values = Object.fromEntries(changed)
  // not form.id: the field for the key "id" stands there
  const typed = form.matches('#sp-form') ? { values } : Object.fromEntries(new FormData(form))
  const pressed = button instanceof HTMLButtonElement && button.name !== '' && { [button.name]: button.value }
  return { ...form.dataset, ...typed, ...pressed }
}

/** Only the answer to the last check is shown, and none once the form was sent. */
let checks = 0

const checkLater = (form: HTMLFormElement, afterMs = 250): void => {
  const number = ++checks
  setTimeout(async () => {
    if (number !== checks) return
    const answer = await ask('/-/check', requestOf(form))
    if (number === checks) show(form, answer)
  }, afterMs)
}

const send = async (form: HTMLFormElement, button: HTMLElement | null): Promise<void> => {
  checks++
  const answer = await ask('/-/do', requestOf(form, button))
  show(form, answer)
  document.querySelector<HTMLElement>('#sp-conflict button')?.focus()
  if (answer.status !== 200) return
  if (answer.to === undefined) location.reload()
  else location.assign(answer.to)
}

/** Makes a chip of each word that was typed. */
const addChips = (field: HTMLElement, input: HTMLInputElement): void => {
  for (const word of wordsIn(input.value)) {
    const chip = field.querySelector('template')!.content.cloneNode(true) as DocumentFragment
    chip.querySelector('bdi')!.textContent = word
    chip.querySelector('input')!.value = word
    chip.querySelector('button')!.setAttribute('aria-label', `Remove ${word}`)
    field.querySelector('ul')!.append(chip)
  }
  input.value = ''
}

/** The form of a file. */
const editing = (form: HTMLFormElement): void => {
  first = new Map(typedIn(form).map(([key, value]) => [key, JSON.stringify(value)]))
  // a file that is chosen changes no value yet: what is said of it stays
  form.addEventListener('input', ({ target }) => (target as HTMLInputElement).files ?? checkLater(form))
  form.addEventListener('keydown', (event) => {
    const { target: input, key } = event
    if (!(input instanceof HTMLInputElement) || !['Enter', ',', ' '].includes(key)) return
    const field = input.closest<HTMLElement>('[data-control=words]')
    // not when the field is left: what a click is about to hit would move
    if (field === null || input.value === '') return
    event.preventDefault()
    addChips(field, input)
  })
  form.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.matches('.sp-more, .sp-less')) return
    const field = target.closest('.sp-field')!
    if (target.matches('.sp-more')) {
      field.querySelector('ul')!.append(field.querySelector('template')!.content.cloneNode(true))
      field.querySelector<HTMLElement>('li:last-child input')!.focus()
    } else {
      target.closest('li')!.remove()
      field.querySelector<HTMLElement>('[id^=f-]')!.focus()
    }
    checkLater(form)
  })
  checkLater(form, 0)
}

/** Whether this browser may edit. */
let isOpen = false

/** Makes the forms of a page work, if this browser has the key of the session. */
export const prepareForms = async (): Promise<void> => {
  tokenOf()
  addEventListener('hashchange', tokenOf)
  leadAside()
  const forms = document.querySelectorAll<HTMLFormElement>('.sp-do')
  if (forms.length > 0 && (await ask('/-/check', {})).status === 403) {
    document.getElementById('sp-locked')!.hidden = false
    // another tab has got the key
    return addEventListener('storage', () => location.reload())
  }
  isOpen = true
  enableForms()
  for (const form of document.querySelectorAll<HTMLFormElement>('#sp-form')) editing(form)
  document.addEventListener('submit', (event) => {
    const { target: form, submitter } = event
    if (!(form instanceof HTMLFormElement) || !form.matches('.sp-do')) return
    event.preventDefault()
    void send(form, submitter)
  })
  // a picture that is dropped on its input is a change, too
  document.addEventListener('change', ({ target: input }) => {
    if (!(input instanceof HTMLInputElement) || !input.files?.length) return
    void takePictures(input, [...input.files])
    input.value = ''
  })
  document.addEventListener('paste', (event) => {
    const place = event.target instanceof Element ? event.target.closest('.sp-field, .sp-do') : null
    const input = place?.querySelector<HTMLInputElement>('input[type=file]')
    const files = [...(event.clipboardData?.files ?? [])]
    if (!input || files.length === 0) return
    event.preventDefault()
    void takePictures(input, files)
  })
}

/** Forms come disabled: nothing is typed or sent before the script listens. */
export const enableForms = (): void => {
  for (const one of document.querySelectorAll('fieldset')) one.disabled = !isOpen
}
