/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The editor's layer in a browser: pages follow the content, and lines open in the editor. Pages work without it, but for
 * forms, which are in `typing.ts`.
 */

import { tileClass } from '../gallery/shape.ts'
import { act, ask, keepKey, showAnswer } from './asking.ts'
import { enableForms, listenToForms } from './typing.ts'

const bar = (): HTMLElement => document.getElementById('sp-bar') ?? document.body

const nameOf = (node: Node): string =>
  node instanceof HTMLElement
    ? `${node.nodeName} ${node.id || node.dataset.work || ''}`
    : node.nodeName

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
  if (node instanceof Element && node.closest('#main'))
    node.animate({ outline: [outline, outline] }, 3000)
}

/** Shows a new state of this page. Browsers keep what one looks at in its place. */
const show = (next: Document): void => {
  enableForms(next)
  // what is typed into a form stays
  const hasForm = document.querySelector('.sp-do input:not([type=file])') !== null
  for (const id of hasForm ? ['sp-bar'] : ['main', 'sp-bar']) {
    const old = document.getElementById(id)
    const now = next.getElementById(id)
    if (old !== null && now !== null) morph(old, now, sent.getElementById(id) ?? undefined)
  }
  sent = next
  for (const picture of document.images) shapeTile(picture)
  if (!hasForm) document.title = next.title
}

let loads = 0

/** Asks for this page again. Who is renamed or removed meanwhile is found where the server leads. */
const reload = async (): Promise<void> => {
  const number = ++loads
  const answer = await fetch(location.href)
  const text = await answer.text()
  if (number !== loads) return
  if (answer.redirected) return location.replace(answer.url)
  const next = new DOMParser().parseFromString(text, 'text/html')
  const isThere =
    document.querySelector('.sp-wait') !== null && next.querySelector('.sp-wait') === null
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
  const { action, file, line } = button?.dataset ?? {}
  if (action !== undefined) await act(bar(), { ...button?.dataset })
  else if (file !== undefined) showAnswer(bar(), await ask('/-/open', { file, line }))
})

/** Gives the tile of a picture beside its file the shape that the gallery will give to it. */
const shapeTile = (picture: EventTarget | null): void => {
  const isOwn =
    picture instanceof HTMLImageElement && new URL(picture.src).origin === location.origin
  const tile = isOwn && picture.naturalWidth > 0 && picture.closest('.works li')
  if (!tile) return
  tile.className = tileClass({ width: picture.naturalWidth, height: picture.naturalHeight })
}

// a window hears of no load but its own
document.addEventListener('load', ({ target }) => shapeTile(target), true)
// the gallery draws something for those that the page came with
document.addEventListener(
  'error',
  ({ target }) => target instanceof HTMLImageElement && target.classList.add('dead'),
  true,
)
for (const picture of document.images) {
  if (picture.complete) shapeTile(picture)
}

enableForms(document)
keepKey()
addEventListener('hashchange', keepKey)
listenToForms()
document.addEventListener('visibilitychange', follow)
follow()
