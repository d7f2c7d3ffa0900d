/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The editor's layer in a browser: pages follow the content, lines open in the editor, forms are checked while one types.
 * Pages work without it, but for forms.
 */

import { tileClass } from '../gallery/shape.ts'

const bar = (): HTMLElement => document.getElementById('sp-bar')!

const nameOf = (node: Node): string =>
  node instanceof HTMLElement ? `${node.nodeName} ${node.id || node.dataset.work || ''}` : node.nodeName

/** The page as the server sent it last: it lacks what the gallery's script, this one and people made of it since. */
let sent = document.cloneNode(true) as Document

/** Takes out of a list the first node of the same name as the next one, and those before it. */
const takeUpTo = (nodes: ChildNode[], next: ChildNode): ChildNode[] =>
  nodes.splice(0, nodes.findIndex((one) => nameOf(one) === nameOf(next)) + 1)

/**
 * Makes a node as the next one is, keeping what need not change: all that is as it `was` sent before, and of the rest what
 * is open.
 */
const morph = (node: ChildNode, next: ChildNode, was: ChildNode | undefined): void => {
  if (node.isEqualNode(next) || was?.isEqualNode(next)) return
  if (!(node instanceof Element && next instanceof Element)) {
    flash(node.parentElement)
    node.replaceWith(next.cloneNode(true))
    return
  }
  for (const { name } of [...node.attributes]) {
    if (!next.hasAttribute(name) && name !== 'open') node.removeAttribute(name)
  }
  for (const { name, value } of next.attributes) {
    if (node.getAttribute(name) === value) continue
    node.setAttribute(name, value)
    if (name === 'src') flash(node)
  }
  const old = [...node.childNodes]
  const before = [...(was?.childNodes ?? [])]
  for (const wanted of next.childNodes) {
    const gone = takeUpTo(old, wanted)
    const same = gone.pop()
    if (same === undefined) flash(node.insertBefore(wanted.cloneNode(true), old[0] ?? null))
    else morph(same, wanted, takeUpTo(before, wanted).pop())
    for (const one of gone) one.remove()
  }
  for (const gone of old) gone.remove()
}

/** Marks what is new, for three seconds. Nothing moves. */
const flash = (node: Node | null): void => {
  const outline = '4px solid var(--sp-mark)'
  if (node instanceof Element && node.closest('#main')) node.animate({ outline: [outline, outline] }, 3000)
}

/** Shows a new state of this page. Browsers keep what one looks at in its place. */
const show = (next: Document): void => {
  const focused = document.activeElement
  // what is typed into a form stays
  const hasForm = document.querySelector('.sp-do input') !== null
  for (const id of hasForm ? ['sp-bar'] : ['main', 'sp-bar']) {
    const [old, now] = [document.getElementById(id), next.getElementById(id)]
    if (old !== null && now !== null) morph(old, now, sent.getElementById(id) ?? undefined)
  }
  sent = next
  listDead()
  for (const picture of document.images) shapeTile(picture)
  if (!hasForm) document.title = next.title
  enableForms()
  if (focused instanceof HTMLElement && focused !== document.activeElement && focused.isConnected) {
    focused.focus({ preventScroll: true })
  }
  markChanged()
}

/** Marks what differs from the last commit where it stands. */
const markChanged = (): void => {
  for (const field of document.querySelectorAll('.sp-differs')) field.classList.remove('sp-differs')
  const { changed } = bar().dataset
  for (const field of changed ? document.querySelectorAll(`#main :is(${changed})`) : []) {
    field.classList.add('sp-differs')
  }
}

let loads = 0

/** Asks for this page again. Who is renamed or removed meanwhile is found where the server leads. */
const reload = async (): Promise<void> => {
  const number = ++loads
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } })
  const text = await answer.text()
  if (number !== loads) return
  if (answer.redirected) return location.replace(answer.url)
  const next = new DOMParser().parseFromString(text, 'text/html')
  const isThere = document.querySelector('.sp-wait') !== null && next.querySelector('.sp-wait') === null
  if (isThere) location.reload()
  else show(next)
}

const setOffline = (offline: boolean): unknown => bar().toggleAttribute('data-offline', offline)

let events: EventSource | undefined

/** Follows the server as long as somebody looks: a browser has six connections to it, and a tab takes one. */
const follow = (): void => {
  events?.close()
  if (document.hidden) return
  events = new EventSource('/-/live')
  // it asks again by itself
  events.addEventListener('error', () => setOffline(true))
  events.addEventListener('version', ({ data }) => {
    setOffline(false)
    if (data !== bar().dataset.version) reload().catch(() => setOffline(true))
  })
}

document.addEventListener('click', async ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null
  const { file, line, copy } = button?.dataset ?? {}
  if (file !== undefined) await ask('/-/open', { file, line })
  if (copy === undefined) return
  await navigator.clipboard.writeText(copy)
  button!.textContent = 'Copied'
})

/** Addresses of pictures that can't be loaded, each with markup that leads to the line that names it; `''` is none. */
const dead = new Map<string, string>()

/** Finds the line that names a picture that can't be loaded. */
const tellDead = async (picture: EventTarget | null): Promise<void> => {
  if (!(picture instanceof HTMLImageElement) || !picture.matches('#main img')) return
  const member = picture.closest<HTMLElement>('[data-member]')?.dataset.member
  const address = picture.getAttribute('src')!
  if (member === undefined || dead.has(address)) return
  dead.set(address, '')
  const answer = await fetch(`/-/where?${new URLSearchParams({ member, picture: address })}`)
  if (answer.ok) dead.set(address, await answer.text())
  listDead()
}

/** Lists the pictures of this page that can't be loaded. */
const listDead = (): void => {
  // but for those of the last commit
  const pictures = [...sent.querySelectorAll('#main img:not(del *)')]
  const addresses = pictures.map((one) => one.getAttribute('src')!)
  const lines = [...dead].flatMap(([address, line]) => (line && addresses.includes(address) ? line : []))
  const box = document.getElementById('sp-dead')!
  box.querySelector('ul')!.innerHTML = lines.join('')
  box.querySelector('summary')!.textContent =
    `warning: ${lines.length === 1 ? 'a picture' : `${lines.length} pictures`} can’t be loaded`
  box.hidden = lines.length === 0
}

/** Gives the tile of a picture beside its file the shape that the gallery will give to it. */
const shapeTile = (picture: EventTarget | null): void => {
  const isOwn = picture instanceof HTMLImageElement && new URL(picture.src).origin === location.origin
  const tile = isOwn && picture.naturalWidth > 0 && picture.closest('.works li')
  if (!tile) return
  tile.className = tileClass({ width: picture.naturalWidth, height: picture.naturalHeight })
}

// a window hears of no load but its own
document.addEventListener('load', ({ target }) => shapeTile(target), true)
addEventListener('error', ({ target }) => void tellDead(target), true)
for (const picture of document.images) {
  if (picture.complete && picture.naturalWidth === 0) void tellDead(picture)
  else if (picture.complete) shapeTile(picture)
}

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
const ask = async (path: string, data: object): Promise<Answer> => {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Shotpress-Edit': tokenOf() },
      body: JSON.stringify(data),
    })
    const isData = answer.headers.get('Content-Type')?.startsWith('application/json')
    return { ...(isData ? await answer.json() : { said: await answer.text() }), status: answer.status }
  } catch {
    return { status: 0, said: 'The preview does not answer: nothing was saved' }
  }
}

const showAnswer = (form: HTMLFormElement, { said = '', status, parts = {} }: Answer): void => {
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
}

const shown = new Map<string, string>()

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
  for (const [at, file] of files.entries()) {
    const about = field === null ? { name: file.name } : { action: 'picture', key: field.dataset.key }
    const answer = await ask('/-/do', { ...form.dataset, ...about, picture: await base64Of(file) })
    const after = files.slice(at + 1).map(({ name }) => name)
    const left = answer.status === 200 || after.length === 0 ? '' : ` (not made either: ${after.join(', ')})`
    showAnswer(form, { ...answer, said: `${file.name}: ${answer.said}${left}` })
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
    const { key = '' } = field.dataset
    const texts = data.getAll(key).map(String)
    if (field.querySelector('.sp-chips')) return [key, texts.flatMap(wordsIn)]
    if (field.querySelector('.sp-rows')) return [key, [...field.querySelectorAll('li')].map(rowIn)]
    const [text = ''] = texts
    if (!field.querySelector('[type=datetime-local]')) return [key, text]
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
    if (number === checks) showAnswer(form, answer)
  }, afterMs)
}

const send = async (form: HTMLFormElement, button: HTMLElement | null): Promise<void> => {
  checks++
  const answer = await ask('/-/do', requestOf(form, button))
  showAnswer(form, answer)
  document.querySelector<HTMLElement>('#sp-conflict button')?.focus()
  if (answer.to !== undefined) location.assign(answer.to)
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
    const field = input.closest<HTMLElement>('.sp-field:has(.sp-chips)')
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

/** Forms come disabled: nothing is typed or sent before the script listens. */
const enableForms = (): void => {
  for (const one of document.querySelectorAll('fieldset')) one.disabled = false
}

markChanged()
enableForms()
tokenOf()
addEventListener('hashchange', tokenOf)
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
document.addEventListener('visibilitychange', follow)
follow()
