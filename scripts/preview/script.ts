/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The editor's layer in a browser: pages follow the content, lines open in the editor. Pages work without it. */

import { ask, enableForms, prepareForms } from './form-script.ts'

/** The page as the server sent it last; what a person opened since is not in it. */
let sent = document.cloneNode(true) as Document
const bar = (): HTMLElement => document.getElementById('sp-bar')!

const keyOf = (node: Node): string => (node instanceof Element && node.id) || ''

/** Makes a node as the next one is, keeping what need not change. Details stay open, fields keep what was typed. */
const morph = (node: Node, next: Node): void => {
  if (node.nodeType !== next.nodeType || node.nodeName !== next.nodeName || keyOf(node) !== keyOf(next)) {
    ;(node as ChildNode).replaceWith(next.cloneNode(true))
    return
  }
  if (keyOf(node) === deadBox) return
  if (!(node instanceof Element) || !(next instanceof Element)) {
    if (node.nodeValue !== next.nodeValue) node.nodeValue = next.nodeValue
    return
  }
  for (const { name } of [...node.attributes]) {
    if (!next.hasAttribute(name) && name !== 'open') node.removeAttribute(name)
  }
  for (const { name, value } of next.attributes) {
    if (node.getAttribute(name) !== value) node.setAttribute(name, value)
  }
  const keyed = new Map([...node.children].filter(keyOf).map((child) => [keyOf(child), child]))
  const kept = new Set([...next.children].map(keyOf))
  for (const [key, child] of keyed) if (!kept.has(key)) child.remove()
  let at: ChildNode | null = node.firstChild
  for (const wanted of next.childNodes) {
    const known = keyed.get(keyOf(wanted))
    if (known !== undefined) {
      if (known === at) at = at.nextSibling
      else node.insertBefore(known, at)
      morph(known, wanted)
    } else if (at === null || keyOf(at) !== '' || keyOf(wanted) !== '') {
      node.insertBefore(wanted.cloneNode(true), at)
    } else {
      const after: ChildNode | null = at.nextSibling
      morph(at, wanted)
      at = after
    }
  }
  while (at !== null) {
    const after: ChildNode | null = at.nextSibling
    at.remove()
    at = after
  }
}

/** Shows a new state of this page, and marks the works that are different. */
const show = (next: Document): void => {
  const focused = document.activeElement
  const putBack = keepPlace()
  const before = worksOf(sent)
  // what is typed into a form stays
  const hasForm = document.querySelector('#sp-form, .sp-do') !== null
  for (const id of hasForm ? ['sp-bar'] : ['main', 'sp-bar']) {
    const [old, now] = [document.getElementById(id), next.getElementById(id)]
    if (old !== null && now !== null) morph(old, document.adoptNode(now.cloneNode(true)))
  }
  document.title = next.title
  if (focused instanceof HTMLElement && focused !== document.activeElement && focused.isConnected) {
    focused.focus({ preventScroll: true })
  }
  markChanged()
  enableForms()
  putBack()
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

/** Remembers where on the screen the reader is; the function returned scrolls back to it. */
const keepPlace = (): (() => void) => {
  if (scrollY === 0) return () => {}
  const place = [...document.querySelectorAll('#main [data-work], #main h1, #main h2')].find((element) => {
    const { top } = element.getBoundingClientRect()
    return top >= 0 && top < innerHeight
  })
  const { top } = place?.getBoundingClientRect() ?? { top: 0 }
  return () => {
    if (place?.isConnected) {
      scrollBy({ top: place.getBoundingClientRect().top - top, behavior: 'instant' })
    }
  }
}

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

let events: EventSource | undefined
let again: ReturnType<typeof setTimeout> | undefined

const setOffline = (offline: boolean): void => {
  const [state, words] = bar().querySelectorAll<HTMLElement>(':scope > p')
  state!.hidden = offline
  words!.hidden = !offline
}

/** Follows the server as long as somebody looks: a browser has six connections to it, and a tab takes one. */
const follow = (): void => {
  clearTimeout(again)
  events?.close()
  if (document.hidden) return
  events = new EventSource('/-/live')
  events.addEventListener('version', ({ data }) => {
    setOffline(false)
    if (data !== bar().dataset.version) {
      reload().catch(() => setOffline(true))
    }
  })
  events.addEventListener('error', () => {
    setOffline(true)
    clearTimeout(again)
    again = setTimeout(follow, 1000)
  })
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (button === null) return
  const { file, line, copy } = button.dataset
  if (file !== undefined) void ask('/-/open', { file, line: Number(line) })
  if (copy !== undefined) {
    navigator.clipboard.writeText(copy).then(
      () => button.replaceChildren('Copied'),
      () => {},
    )
  }
})

const dead = new Set<string>()

/** Pictures that can't be loaded are told at the line that names them; a drawing stands for each. */
const tellDead = async (picture: HTMLImageElement): Promise<void> => {
  const member = picture.closest<HTMLElement>('[data-member]')?.dataset.member
  if (member === undefined || dead.has(picture.src) || dead.size === mostDead) return
  dead.add(picture.src)
  const answer = await fetch(`/-/where?${new URLSearchParams({ member, picture: picture.src })}`)
  if (!answer.ok) return
  const item = new DOMParser().parseFromString(await answer.text(), 'text/html').body
  const box = document.getElementById(deadBox)!
  box.hidden = false
  const list = box.querySelector('ul')!
  list.append(...item.childNodes)
  const { length } = list.children
  box.querySelector('summary')!.textContent =
    `warning: ${length === 1 ? 'a picture' : `${length} pictures`} can’t be loaded`
}

/** The part of the bar that tells of them, which the server sends empty. */
const deadBox = 'sp-dead'

/** Dead pictures that a page tells of. */
const mostDead = 20

addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLImageElement && target.matches('#main img')) void tellDead(target)
  },
  true,
)
for (const picture of document.querySelectorAll<HTMLImageElement>('#main img')) {
  if (picture.complete && picture.naturalWidth === 0) void tellDead(picture)
}

markChanged()
void prepareForms()
document.addEventListener('visibilitychange', follow)
follow()
