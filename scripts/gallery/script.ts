/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * What a browser runs on each page of the gallery. Without it everything is there but search: arrows and Esc, pictures
 * of odd shapes, other works below a work, links between pages that are files.
 */

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
      if (width === 0) picture.replaceWith(Object.assign(document.createElement('i'), { className: 'dead' }))
      else if (width > height * 2.4 || height > width * 1.8) picture.classList.add('odd')
      else if (width * 2 < offsetWidth) picture.classList.add('small')
    }
    if (picture.complete) fitIt()
    else {
      picture.addEventListener('load', fitIt)
      picture.addEventListener('error', fitIt)
    }
  }
}

/**
 * Below a work, others of its member, and the face of the member: from the member's page. On each work's own page they would
 * take as many bytes as all the rest of it.
 */
const showOthers = async (author: HTMLAnchorElement): Promise<void> => {
  const place = document.createElement('section')
  place.className = 'others'
  place.setAttribute('aria-label', 'More')
  place.append(document.createElement('h2'))
  place.firstElementChild!.textContent = `More by ${author.textContent}`
  document.querySelector('main')!.after(place)
  const text = await fetch(author.href).then(
    (answer) => answer.text(),
    () => '',
  )
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
  const list = document.createElement('ul')
  list.className = 'works'
  list.append(...others.slice(0, 4))
  place.append(list)
  author.prepend(...page.querySelectorAll('.person > .face'))
  fitPictures(place)
}

const keys: Readonly<Record<string, string>> = { ArrowLeft: 'prev', ArrowRight: 'next' }

const turnByKey = (event: KeyboardEvent): void => {
  const { target } = event
  const types = target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  if (types || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented)
    return
  const leftward =
    document.documentElement.dir === 'rtl'
      ? { prev: 'next', next: 'prev' }[keys[event.key] ?? '']
      : keys[event.key]
  const selector = event.key === 'Escape' ? 'a.author' : leftward && `main a[rel=${leftward}]`
  document.querySelector<HTMLAnchorElement>(selector || 'never')?.click()
}

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** A line for all that can be found: what is searched, address below the root, label, what it is. */
const linesOf = (text: string): string => {
  const [tags, skills, people] = text
    .split('\n\n')
    .map((part) => part.split('\n').map((line) => line.split('\t')))
  const labels = (list: string[][], numbers = ''): string =>
    numbers.replace(/\w+/g, (number) => list[Number.parseInt(number, 36)]![1]!)
  let [username, name] = ['', '']
  const line = (searched: string, ...rest: readonly string[]): string => [fold(searched), ...rest].join('\t')
  const words = (kind: string, what: string, list: string[][]): readonly string[] =>
    list.flatMap(([slug, label]) => (label ? [line(label, `${kind}/${slug}/`, label, what)] : []))
  const found = people!.map(([first = '', second = '', third = '', last]) => {
    if (first !== '') {
      ;[username, name] = [first, second]
      return line(
        `${name} ${username} ${labels(skills!, third)} ${last}`,
        `members/${username}/`,
        name,
        `@${username}`,
      )
    }
    return line(`${third} ${labels(tags!, last)}`, `members/${username}/${second}/`, third, name)
  })
  const isMember = (line: string): boolean => line.includes('\t@')
  return [
    ...found.filter(isMember),
    ...words('tags', 'Tag', tags!),
    ...words('skills', 'Skill', skills!),
    ...found.filter((line) => !isMember(line)),
    '',
  ].join('\n')
}

/** Search: each word anywhere in a line of the index; what begins with the first word comes first. */
const search = (input: HTMLInputElement): void => {
  const found = document.getElementById('found')!
  const results = document.getElementById('results')!
  const offered = [...results.childNodes]
  let index: string | undefined
  let asked = false

  const linesWith = (words: readonly string[]): readonly string[] => {
    const text = index!
    const [first, other]: [string[], string[]] = [[], []]
    let looked = 0
    for (let at = text.indexOf(words[0]!); at !== -1; looked++) {
      const start = text.lastIndexOf('\n', at) + 1
      const end = text.indexOf('\n', at)
      const line = text.slice(start, end)
      const searched = line.slice(0, line.indexOf('\t'))
      if (words.every((word) => searched.includes(word))) {
        const isStart = at === start || text[at - 1] === ' '
        ;(isStart ? first : other).push(line)
        // a letter or two are in every line
        if (first.length === most || (other.length >= most && looked > 20_000)) break
      }
      at = text.indexOf(words[0]!, end)
    }
    return [...first, ...other].slice(0, most)
  }

  const show = (): void => {
    const words = fold(input.value)
      .split(/\s+/)
      .filter(Boolean)
      .sort((a, b) => b.length - a.length)
    if (index === undefined || words.length === 0) {
      results.replaceChildren(...(words.length === 0 ? offered : []))
      found.textContent = ''
      return
    }
    const lines = linesWith(words)
    const list = document.createElement('ul')
    list.className = 'hits'
    for (const line of lines) {
      const [, address, label, what] = line.split('\t')
      const link = document.createElement('a')
      link.href = input.dataset.root + address!
      const name = document.createElement('b')
      const small = document.createElement('small')
      name.dir = small.dir = 'auto'
      name.textContent = label!
      small.textContent = what!
      link.append(name, ' ', small)
      list.append(document.createElement('li'))
      list.lastElementChild!.append(link)
    }
    results.replaceChildren(list)
    toFiles()
    found.textContent =
      lines.length === 0
        ? 'Nothing found'
        : lines.length === most
          ? `The first ${most}`
          : `${lines.length} found`
  }

  const load = (): void => {
    if (asked) return
    asked = true
    Object.assign(globalThis, {
      searchIndex: (text: string) => {
        index = linesOf(text)
        show()
      },
    })
    const script = document.createElement('script')
    script.src = input.dataset.index!
    document.head.append(script)
  }

  input.addEventListener('focus', load)
  input.addEventListener('input', () => {
    load()
    show()
  })
  input.form!.addEventListener('submit', (event) => event.preventDefault())
  input.value = new URLSearchParams(location.search).get('q') ?? ''
  input.focus()
}

/** Results that are shown. */
const most = 60

/** Pages of works, of which there may be 200,000, don't name the icon. */
const showIcon = (): void => {
  if (document.querySelector('link[rel=icon]')) return
  const { href } = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')!
  const link = Object.assign(document.createElement('link'), { rel: 'icon' })
  link.href = href.replace('gallery.css', 'icon.svg')
  document.head.append(link)
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

showIcon()
showDay()
toFiles()
fitPictures(document.querySelector('main')!)
document.addEventListener('keydown', turnByKey)
const input = document.querySelector<HTMLInputElement>('#q')
if (input !== null) search(input)
const author = document.querySelector<HTMLAnchorElement>('a.author')
// a page that is a file may ask for no other
if (author !== null && document.querySelector('figure a') && location.protocol !== 'file:')
  void showOthers(author)
