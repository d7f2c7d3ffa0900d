/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * What a browser runs on each page of the gallery. Without it everything is there but search: arrows and Esc, pictures
 * of odd shapes, other works below a work, links between pages that are files.
 */

/** A new element with these properties. */
const make = <K extends keyof HTMLElementTagNameMap>(name: K, about: Partial<HTMLElementTagNameMap[K]>) =>
  Object.assign(document.createElement(name), about)

/** Folders have no page of their own where pages are files. */
const toFiles = (): void => {
  if (location.protocol !== 'file:') return
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    if (link.protocol === 'file:' && link.pathname.endsWith('/')) link.pathname += 'index.html'
  }
}

/** Pictures whose shape a tile would cut to pieces, or blow up, are shown whole; those that are dead make way. */
const fitPictures = (place: Element): void => {
  for (const picture of place.querySelectorAll<HTMLImageElement>('img')) {
    const fitIt = (): void => {
      const { naturalWidth: width, naturalHeight: height, offsetWidth } = picture
      if (width === 0) picture.replaceWith(make('i', { className: 'dead' }))
      else if (width > height * 2.4 || height > width * 1.8) picture.classList.add('odd')
      else if (width * 2 < offsetWidth) picture.classList.add('small')
    }
    if (picture.complete) fitIt()
    else for (const event of ['load', 'error']) picture.addEventListener(event, fitIt)
  }
}

/**
 * Below a work, others of its member, and the face of the member: from the member's page. On each work's own page they would
 * take as many bytes as all the rest of it.
 */
const showOthers = async (author: HTMLAnchorElement): Promise<void> => {
  const place = make('section', { className: 'others' })
  place.setAttribute('aria-label', 'More')
  place.append(make('h2', { textContent: `More by ${author.textContent}` }))
  document.querySelector('main')!.after(place)
  const answer = await fetch(author.href).catch(() => undefined)
  const text = (await answer?.text()) ?? ''
  const page = new DOMParser().parseFromString(text, 'text/html')
  for (const one of page.querySelectorAll('main [href], main [src]')) {
    const name = one.hasAttribute('href') ? 'href' : 'src'
    one.setAttribute(name, new URL(one.getAttribute(name)!, author.href).href)
  }
  const works = [...page.querySelectorAll('.works > li')]
  const at = works.findIndex((one) => one.querySelector('a')!.pathname === location.pathname)
  const start = Math.max(0, Math.min(at - 2, works.length - 5))
  const others = works.slice(start, start + 5).filter((one) => one !== works[at])
  if (others.length === 0) return place.remove()
  const list = make('ul', { className: 'works' })
  list.append(...others.slice(0, 4))
  place.append(list)
  author.prepend(...page.querySelectorAll('.person > .face'))
  fitPictures(place)
}

const turnByKey = (event: KeyboardEvent): void => {
  const { target } = event
  const types = target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  if (types || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented)
    return
  const arrow = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const rel = event.key === arrow ? 'next' : /^Arrow(?:Left|Right)$/.test(event.key) && 'prev'
  const selector = event.key === 'Escape' ? '.author' : `a[rel=${rel}]`
  // not those of a work that is shown beside a form
  document.querySelector<HTMLAnchorElement>(`main > * > ${selector}`)?.click()
}

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** What can be found: its words as they are compared, its address below the root, and what is shown of it. */
type Found = {
  readonly text: string
  readonly address: string
  readonly label: string
  readonly what: string
}

/** Members, tags, skills, then works, from the index that `render.ts` writes. */
const readIndex = (index: string): readonly Found[] => {
  const parts = index.split('\n\n').map((part) => part.split('\n').map((line) => line.split('\t')))
  const [tags = [], skills = [], rows = []] = parts
  const labels = (words: string[][], numbers = ''): string =>
    numbers.replace(/\w+/g, (number) => words[Number.parseInt(number, 36)]![1]!)
  const words = (kind: string, what: string, list: string[][]): readonly Found[] =>
    list.flatMap(([slug, label]) =>
      label ? [{ text: fold(label), address: `${kind}/${slug}/`, label, what }] : [],
    )
  const [people, works]: [Found[], Found[]] = [[], []]
  let [username, name] = ['', '']
  for (const [first = '', second = '', third = '', last = ''] of rows) {
    if (first !== '') {
      ;[username, name] = [first, second]
      const text = fold(`${name} ${username} ${labels(skills, third)} ${last}`)
      people.push({ text, address: `members/${username}/`, label: name, what: `@${username}` })
    } else if (second !== '') {
      const text = fold(`${third} ${labels(tags, last)}`)
      works.push({ text, address: `members/${username}/${second}/`, label: third, what: name })
    }
  }
  return [...people, ...words('tags', 'Tag', tags), ...words('skills', 'Skill', skills), ...works]
}

/** What holds every word. `words` begin with the longest; where a word of the text begins with it, that comes first. */
const find = (all: readonly Found[], words: readonly string[]): readonly Found[] => {
  const [first, other]: [Found[], Found[]] = [[], []]
  for (const one of all) {
    if (!words.every((word) => one.text.includes(word))) continue
    ;(` ${one.text}`.includes(` ${words[0]}`) ? first : other).push(one)
    if (first.length === most) break
  }
  return [...first, ...other].slice(0, most)
}

const search = (input: HTMLInputElement): void => {
  const status = document.getElementById('found')!
  const results = document.getElementById('results')!
  const offered = [...results.childNodes]
  let index: readonly Found[] | undefined

  const show = (): void => {
    const words = (fold(input.value).match(/\S+/g) ?? []).sort((a, b) => b.length - a.length)
    if (index === undefined || words.length === 0) {
      results.replaceChildren(...(words.length === 0 ? offered : []))
      status.textContent = ''
      return
    }
    const found = find(index, words)
    const list = make('ul', { className: 'hits' })
    for (const { address, label, what } of found) {
      const link = make('a', { href: input.dataset.root + address })
      link.append(make('b', { textContent: label }), ' ', make('small', { textContent: what }))
      list.appendChild(make('li', {})).append(link)
    }
    results.replaceChildren(list)
    toFiles()
    const some = found.length === most ? `The first ${most}` : `${found.length} found`
    status.textContent = found.length === 0 ? 'Nothing found' : some
  }

  const searchIndex = (text: string): void => {
    index = readIndex(text)
    show()
  }
  const load = (): void => {
    if ('searchIndex' in globalThis) return
    Object.assign(globalThis, { searchIndex })
    document.head.append(make('script', { src: input.dataset.index! }))
  }

  for (const event of ['focus', 'input']) input.addEventListener(event, load)
  input.addEventListener('input', show)
  input.form!.addEventListener('submit', (event) => event.preventDefault())
  input.value = new URLSearchParams(location.search).get('q') ?? ''
  input.focus()
}

/** Results that are shown. */
const most = 60

/** Pages of works have neither the icon nor the link to the content, to be smaller: there may be 200,000. */
const complete = (): void => {
  if (document.querySelector('.skip')) return
  document.querySelector('main')!.id = 'main'
  document.body.insertAdjacentHTML('afterbegin', '<a class=skip href=#main>Skip to content</a>')
  const { href } = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')!
  document.head.append(make('link', { rel: 'icon', href: href.replace('gallery.css', 'icon.svg') }))
}

/** A day as the page's language has it. */
const showDay = (): void => {
  const time = document.querySelector('.work time')
  const day = new Date(time?.textContent ?? '')
  if (time === null || Number.isNaN(day.getTime())) return
  const lang = document.documentElement.lang.replace(/^en$/, 'en-GB')
  time.setAttribute('datetime', time.textContent!)
  time.textContent = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' }).format(day)
}

complete()
showDay()
toFiles()
fitPictures(document.querySelector('main')!)
document.addEventListener('keydown', turnByKey)
const input = document.querySelector<HTMLInputElement>('#q')
if (input !== null) search(input)
const author = document.querySelector<HTMLAnchorElement>('a.author')
// a page that is a file may ask for no other
if (author !== null && document.querySelector('main > figure a') && location.protocol !== 'file:')
  void showOthers(author)
