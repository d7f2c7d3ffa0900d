/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The editor's layer in a browser: pages follow the content, lines open in the editor. Pages work without it. */

import { ask, enableForms, prepareForms } from './form-script.ts'

/** The page as the server sent it last; what a person opened since is not in it. */
let sent = document.cloneNode(true) as Document
const bar = (): HTMLElement => document.getElementById('sp-bar')!

const isSame = (node: Node, next: Node): boolean => nameOf(node) === nameOf(next)

const nameOf = (node: Node): string =>
  node instanceof HTMLElement ? `${node.nodeName} ${node.id || node.dataset.work || ''}` : node.nodeName

/** Makes a node as the next one is, keeping what need not change. Details stay open, fields keep what was typed. */
const morph = (node: ChildNode, next: ChildNode): void => {
  if (node.isEqualNode(next) || node === document.getElementById(deadBox)) return
  if (!(node instanceof Element && next instanceof Element)) {
    node.replaceWith(next.cloneNode(true))
    return
  }
  for (const { name } of [...node.attributes]) {
    if (!next.hasAttribute(name) && name !== 'open') node.removeAttribute(name)
  }
  for (const { name, value } of next.attributes) {
    if (node.getAttribute(name) !== value) node.setAttribute(name, value)
  }
  const old = [...node.childNodes]
  for (const wanted of next.childNodes) {
    const at = old.findIndex((one) => isSame(one, wanted))
    if (at === -1) {
      node.insertBefore(wanted.cloneNode(true), old[0] ?? null)
      continue
    }
    for (const gone of old.splice(0, at)) gone.remove()
    morph(old.shift()!, wanted)
  }
  for (const gone of old) gone.remove()
}

/** Shows a new state of this page, and marks the works that are different. Browsers keep what one looks at in its place. */
const show = (next: Document): void => {
  const focused = document.activeElement
  const before = worksOf(sent)
  // what is typed into a form stays
  const hasForm = document.querySelector('.sp-do:not([data-action=undo])') !== null
  for (const id of hasForm ? ['sp-bar'] : ['main', 'sp-bar']) {
    const [old, now] = [document.getElementById(id), next.getElementById(id)]
    if (old !== null && now !== null) morph(old, now)
  }
  document.title = next.title
  enableForms()
  if (focused instanceof HTMLElement && focused !== document.activeElement && focused.isConnected) {
    focused.focus({ preventScroll: true })
  }
  markChanged()
  for (const [id, work] of worksOf(next)) {
    if (before.get(id)?.isEqualNode(work)) continue
    const shown = worksOf(document).get(id)
    shown?.classList.remove('sp-new-mark')
    void shown?.getBoundingClientRect()
    shown?.classList.add('sp-new-mark')
  }
  sent = next
}

const worksOf = (page: Document): ReadonlyMap<string, Element> =>
  new Map([...page.querySelectorAll<HTMLElement>('[data-work]')].map((work) => [work.dataset.work!, work]))

/** Marks what differs from the last commit where it stands. */
const markChanged = (): void => {
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
  show(new DOMParser().parseFromString(text, 'text/html'))
}

const setOffline = (offline: boolean): void => {
  const [state, words] = bar().querySelectorAll<HTMLElement>(':scope > p')
  state!.hidden = offline
  words!.hidden = !offline
}

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
  if (file !== undefined) await ask('/-/open', { file, line: Number(line) })
  if (copy === undefined) return
  await navigator.clipboard.writeText(copy)
  button!.textContent = 'Copied'
})

/** Addresses of pictures that can't be loaded. */
const dead = new Set<string>()

/** Pictures that can't be loaded are told at the line that names them; a drawing stands for each. */
const tellDead = async (picture: EventTarget | null): Promise<void> => {
  if (!(picture instanceof HTMLImageElement) || !picture.matches('#main img')) return
  const member = picture.closest<HTMLElement>('[data-member]')?.dataset.member
  if (member === undefined || dead.has(picture.src) || dead.size === mostDead) return
  dead.add(picture.src)
  const answer = await fetch(`/-/where?${new URLSearchParams({ member, picture: picture.src })}`)
  if (!answer.ok) return
  const box = document.getElementById(deadBox)!
  const list = box.querySelector('ul')!
  list.insertAdjacentHTML('beforeend', await answer.text())
  const { length } = list.children
  box.querySelector('summary')!.textContent =
    `warning: ${length === 1 ? 'a picture' : `${length} pictures`} can’t be loaded`
  box.hidden = false
}

/** The part of the bar that tells of them, which the server sends empty. */
const deadBox = 'sp-dead'

/** Dead pictures that a page tells of. */
const mostDead = 20

addEventListener('error', ({ target }) => void tellDead(target), true)
for (const picture of document.images) {
  if (picture.complete && picture.naturalWidth === 0) void tellDead(picture)
}

markChanged()
void prepareForms()
document.addEventListener('visibilitychange', follow)
follow()
