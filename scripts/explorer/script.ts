/**
 * The script of all pages: live changes, search as you type, copying. Pages work without it. It is text, because it
 * runs in a browser; a test checks it as JavaScript.
 */
export const script = String.raw`// Shotpress preview
'use strict'
{
  const live = 'live' in document.body.dataset
  const news = document.getElementById('news')
  /** The page as the server sent it last; what a person opened since is not in it. */
  let sent = document.cloneNode(true)
  let silence = 0

  const say = (text) => {
    news.textContent = text
    clearTimeout(silence)
    silence = setTimeout(() => { news.textContent = '' }, 5000)
  }

  const keyOf = (node) => (node.nodeType === 1 && node.id) || ''

  /** Makes a node as the next one is, keeping what need not change. Details stay open, fields keep what was typed. */
  const morph = (node, next) => {
    if (node.nodeType !== next.nodeType || node.nodeName !== next.nodeName || keyOf(node) !== keyOf(next)) {
      node.replaceWith(next.cloneNode(true))
      return
    }
    if (node.nodeType !== 1) {
      if (node.data !== next.data) node.data = next.data
      return
    }
    for (const { name } of [...node.attributes]) {
      if (!next.hasAttribute(name) && name !== 'open' && name !== 'tabindex') node.removeAttribute(name)
    }
    for (const { name, value } of next.attributes) {
      if (node.getAttribute(name) !== value && name !== 'hidden') node.setAttribute(name, value)
    }
    const keyed = new Map([...node.children].filter(keyOf).map((child) => [keyOf(child), child]))
    const kept = new Set([...next.children].map(keyOf))
    for (const [key, child] of keyed) if (!kept.has(key)) child.remove()
    let at = node.firstChild
    for (const wanted of next.childNodes) {
      const known = keyed.get(keyOf(wanted))
      if (known !== undefined) {
        if (known === at) at = at.nextSibling
        else node.insertBefore(known, at)
        morph(known, wanted)
      } else if (at === null || keyOf(at) !== '' || keyOf(wanted) !== '') {
        node.insertBefore(wanted.cloneNode(true), at)
      } else {
        const after = at.nextSibling
        morph(at, wanted)
        at = after
      }
    }
    while (at !== null) {
      const after = at.nextSibling
      at.remove()
      at = after
    }
  }

  const partsOf = (page) => new Map([...page.querySelectorAll('[data-part][id]')].map((part) => [part.id, part]))

  /** Shows a new state of this page, and says what is different. */
  const show = (next, { quietly }) => {
    const [before, after] = [partsOf(sent), partsOf(next)]
    const changed = [...after.values()].filter((part) => !before.get(part.id)?.isEqualNode(part))
    const gone = [...before.values()].filter((part) => !after.has(part.id))
    const focused = document.activeElement
    const putBack = keepPlace(focused)
    morph(document.getElementById('main'), document.adoptNode(next.getElementById('main').cloneNode(true)))
    if (document.title !== next.title) document.title = next.title
    if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true })
    putBack()
    sent = next
    prepare()
    if (quietly) return
    for (const { id } of changed) mark(document.getElementById(id))
    const words = [
      ...changed.map((part) => part.dataset.part),
      ...gone.map((part) => part.dataset.part + ' (gone)'),
    ]
    if (words.length > 0) say('Changed: ' + words.slice(0, 3).join(', ') + (words.length > 3 ? ' and ' + (words.length - 3) + ' more' : ''))
  }

  /** Remembers where on the screen the reader is; the function returned scrolls back to it. */
  const keepPlace = (focused) => {
    const isInView = (element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return bottom > 0 && top < innerHeight
    }
    const main = document.getElementById('main')
    const isReading = focused !== null && main.contains(focused) && isInView(focused)
    const place = isReading ? focused : scrollY === 0 ? undefined : [...main.querySelectorAll('[data-part]')].find(isInView)
    if (place === undefined) return () => {}
    const { top } = place.getBoundingClientRect()
    return () => {
      if (place.isConnected) scrollBy({ top: place.getBoundingClientRect().top - top, behavior: 'instant' })
    }
  }

  const mark = (element) => {
    if (element === null) return
    element.classList.remove('changed')
    void element.offsetWidth
    element.classList.add('changed')
    setTimeout(() => element.classList.remove('changed'), 4000)
  }

  const load = async (address) => {
    const answer = await fetch(address, { headers: { Accept: 'text/html' } })
    return new DOMParser().parseFromString(await answer.text(), 'text/html')
  }

  /** Copying needs a script, so its buttons come with it. */
  const prepare = () => {
    for (const button of document.querySelectorAll('button.copy[hidden]')) button.hidden = false
  }

  document.addEventListener('click', async (event) => {
    const button = event.target instanceof Element ? event.target.closest('button.copy') : null
    if (button === null) return
    try {
      await navigator.clipboard.writeText(button.dataset.copy)
      say('Copied')
    } catch {
      say('The browser does not allow copying here')
    }
  })

  /** A link to a work opens it. */
  const openTarget = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    const details = target?.querySelector('details')
    if (details) details.open = true
  }
  addEventListener('hashchange', openTarget)

  // search
  const input = document.getElementById('q')
  let searches = 0
  const find = async () => {
    const query = input.value
    if (!live) return filter(query)
    const number = ++searches
    const address = location.pathname + (query.trim() === '' ? '' : '?' + new URLSearchParams({ q: query }))
    const next = await load(address).catch(() => undefined)
    if (next === undefined || number !== searches) return
    history.replaceState(null, '', address)
    show(next, { quietly: true })
    say(document.getElementById('count').textContent)
  }
  const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const filter = (query) => {
    const words = fold(query).split(/\s+/).filter((word) => word !== '')
    let found = 0
    for (const item of document.querySelectorAll('[data-find]')) {
      item.hidden = !words.every((word) => item.dataset.find.includes(word))
      if (!item.hidden) found++
    }
    document.getElementById('count').textContent = found + (found === 1 ? ' member' : ' members')
  }
  if (input !== null) {
    let typing = 0
    input.addEventListener('input', () => {
      clearTimeout(typing)
      typing = setTimeout(find, 60)
    })
    input.form.addEventListener('submit', (event) => {
      event.preventDefault()
      find()
    })
  }

  // live: a small answer says whether anything is new; a hidden page does not ask
  const pause = 200
  let tag = ''
  let timer = 0
  let lost = 0
  const ask = async () => {
    if (document.hidden) return
    const answer = await fetch('/-/live', { headers: tag === '' ? {} : { 'If-None-Match': tag }, cache: 'no-store' })
    if (lost > 1) say('The preview is back')
    lost = 0
    if (answer.status !== 200) return
    const first = tag === ''
    tag = answer.headers.get('ETag')
    if (first && (await answer.text()).trim() === document.documentElement.dataset.version) return
    show(await load(location.href), { quietly: false })
  }
  const follow = async () => {
    clearTimeout(timer)
    try {
      await ask()
    } catch {
      if (++lost === 2) say('The preview does not answer: has it ended?')
    }
    clearTimeout(timer)
    if (!document.hidden) timer = setTimeout(follow, lost > 1 ? 2000 : pause)
  }
  if (live) {
    document.addEventListener('visibilitychange', () => {
      clearTimeout(timer)
      if (!document.hidden) follow()
    })
    follow()
  }

  document.documentElement.classList.add('live')
  prepare()
  openTarget()
}
`
