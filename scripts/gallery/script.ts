/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { make } from './browser/elements.ts'
import { join } from './browser/join.ts'
import { drawDead } from './browser/pictures.ts'
import { search } from './browser/search.ts'

/**
 * What a browser runs on each page of the gallery. Without it everything is there but search:
 * arrows and Esc, drawings in place of dead pictures, other works below a work, links between
 * pages that are files.
 */

/** Folders have no page of their own where pages are files. */
const toFile = ({ target }: Event) => {
  const link = target instanceof Element && target.closest('a')
  if (link && link.protocol === 'file:' && link.pathname.endsWith('/'))
    link.pathname += 'index.html'
}

/**
 * Below a work, others of its member, and the face of the member: from the member's page. On
 * each work's own page they would take as many bytes as all the rest of it.
 */
const showOthers = async (author: HTMLAnchorElement) => {
  const title = make('h2', {}, `More by ${author.textContent}`)
  const place = make('section', { className: 'others', ariaLabel: 'More' }, title)
  document.querySelector('main')?.after(place)
  const answer = await fetch(author.href).catch(() => undefined)
  const text = (await answer?.text()) ?? ''
  const page = new DOMParser().parseFromString(text, 'text/html')
  for (const one of page.querySelectorAll('main [href], main [src]')) {
    const name = one.hasAttribute('href') ? 'href' : 'src'
    one.setAttribute(name, new URL(one.getAttribute(name) ?? '', author.href).href)
  }
  const works = [...page.querySelectorAll('.works > li')]
  const at = works.findIndex((one) => one.querySelector('a')?.pathname === location.pathname)
  const others = [...works.slice(at + 1), ...works.slice(0, Math.max(0, at))].slice(0, 6)
  if (others.length === 0) return place.remove()
  place.append(make('ul', { className: 'works' }, ...others))
  author.prepend(...page.querySelectorAll('.person > .face'))
  drawDead(place)
}

const turnByKey = (event: KeyboardEvent) => {
  const isTyping = document.activeElement?.matches(
    'input, textarea, select, [contenteditable]',
  )
  const isOther = ['Alt', 'Control', 'Meta', 'Shift'].some((key) =>
    event.getModifierState(key),
  )
  if (isTyping || isOther || event.defaultPrevented) return
  const arrow = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const rel = event.key === arrow ? 'next' : /^Arrow(?:Left|Right)$/.test(event.key) && 'prev'
  const selector = event.key === 'Escape' ? '.author' : `a[rel=${rel}]`
  // not those of a work that is shown beside a form
  document.querySelector<HTMLAnchorElement>(`main > * > ${selector}`)?.click()
}

/** A day as the page's language has it. */
const showDay = (time: HTMLTimeElement) => {
  const day = new Date(time.textContent ?? '')
  if (Number.isNaN(day.getTime())) return
  const lang = document.documentElement.lang.replace(/^en$/, 'en-GB')
  const format = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' })
  time.dateTime = time.textContent ?? ''
  time.textContent = format.format(day)
}

/** Does something with what a page has at a selector. */
const where = <T extends Element>(selector: string, act: (found: T) => void): void => {
  const found = document.querySelector<T>(selector)
  if (found) act(found)
}

where('main', drawDead)
where('.work time', showDay)
document.addEventListener('click', toFile)
document.addEventListener('keydown', turnByKey)
where<HTMLInputElement>('#q', search)
where('form.join', join)
// a page that is a file may ask for no other
if (location.protocol !== 'file:')
  where<HTMLAnchorElement>('main:has(> figure a[rel]) a.author', showOthers)
