/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The editor's layer in a browser: pages follow the content, and lines open in the editor.
 * Pages work without it, but for forms, which are in `typing.ts`.
 */

import { act, ask, keepKey, showAnswer } from './asking.ts'
import { enableForms, listenToForms, onButton, renewForm } from './typing.ts'

const bar = (): HTMLElement => document.getElementById('sp-bar') ?? document.body

/**
 * Elements as the server sent them: they lack what the gallery's script, this one and people
 * made of them since.
 */
const sent = new WeakMap<Element, string>()

const remember = (page: Document): void => {
  for (const one of page.querySelectorAll('#main *')) sent.set(one, one.outerHTML)
}

const nameOf = (one: Element): string =>
  `${one.nodeName} ${one.id} ${one.getAttribute('data-work') ?? ''}`

/**
 * Takes what is as it was sent before over into a new state, with all that was made of it;
 * marks the rest.
 */
const keep = (next: Element, old: Element): void => {
  const before = [...old.children]
  for (const one of [...next.children]) {
    const same = before.findIndex((other) => sent.get(other) === sent.get(one))
    const like = before.find((other) => nameOf(other) === nameOf(one))
    if (same >= 0) one.replaceWith(...before.splice(same, 1))
    else if (like && one.firstElementChild) keep(one, like)
    else flash(one)
  }
  next.toggleAttribute('open', old.hasAttribute('open'))
}

/** Marks what is new, for three seconds. Nothing moves. */
const flash = (node: Element): void => {
  const outline = '4px solid var(--sp-mark)'
  // once it is in the page
  requestAnimationFrame(() => {
    if (node.closest('#main')) node.animate({ outline: [outline, outline] }, 3000)
  })
}

/** Shows a new state of this page, with what one looks at in its place. */
const show = (next: Document): void => {
  showBar(next.getElementById('sp-bar'))
  const main = document.getElementById('main')
  const now = next.getElementById('main')
  if (main === null || now === null) return
  // what is typed into a form stays
  if (document.querySelector('.sp-do input:not([type=file])')) {
    document.getElementById('sp-problems')?.remove()
    main.prepend(...now.querySelectorAll('#sp-problems'))
    renewForm(now.querySelector<HTMLElement>('#sp-form')?.dataset.base)
    return
  }
  enableForms(next)
  remember(next)
  const focused = document.activeElement
  const seen = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
  const topOfSeen = () => seen?.getBoundingClientRect().top ?? 0
  const before = topOfSeen()
  keep(now, main)
  main.replaceWith(now)
  if (seen?.isConnected) scrollBy(0, topOfSeen() - before)
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  document.title = next.title
}

/** What is there stays there: so it is read out when it says something else. */
const showBar = (next: HTMLElement | null): void => {
  bar().dataset.version = next?.dataset.version
  for (const [at, part] of [...bar().children].entries()) {
    const { innerHTML = '' } = next?.children[at] ?? {}
    if (part.innerHTML !== innerHTML) part.innerHTML = innerHTML
  }
}

let loads = 0

/** Asks for this page again. */
const reload = async (): Promise<void> => {
  const number = ++loads
  const answer = await fetch(location.href)
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (number !== loads) return
  // who was renamed is elsewhere, and what could not be shown has other scripts now
  const isOther = document.querySelector('.sp-wait') ?? !next.getElementById('main')
  if (isOther) location.reload()
  else show(next)
}

const setOffline = (offline: boolean): unknown =>
  bar().toggleAttribute('data-offline', offline)

let events: EventSource | undefined

/**
 * Follows the server as long as somebody looks: a browser has six connections to it, and a
 * tab takes one.
 */
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
  const button = target instanceof Element && target.closest('button')
  if (!button) return
  onButton(button)
  const { action, choice, file, line } = button.dataset
  if (choice !== undefined) {
    // for a year; the server reads it
    // biome-ignore lint/suspicious/noDocumentCookie: it has to be there with the next request
    document.cookie = `shotpress-${choice}; Path=/; Max-Age=31536000; SameSite=Strict`
    location.reload()
  } else if (action !== undefined) await act(bar(), { ...button.dataset })
  else if (file !== undefined) showAnswer(bar(), await ask('/-/open', { file, line }))
})

// the gallery draws something for those that the page came with
document.addEventListener(
  'error',
  ({ target }) => target instanceof HTMLImageElement && target.classList.add('dead'),
  true,
)

remember(document)
enableForms(document)
keepKey()
addEventListener('hashchange', keepKey)
listenToForms()
document.addEventListener('visibilitychange', follow)
follow()
