import { memberFolder } from '../content/layout.ts'
import { grouped } from '../text/amounts.ts'
import { type Content, type Html, html } from '../text/html.ts'
import type { Entry, Group, GroupKind, MemberData, Summary, Work } from './data.ts'
import {
  addressOf,
  type Gallery,
  isShown,
  notFound,
  type Place,
  page,
  picture,
  placeOf,
  sourceOf,
} from './page.ts'
import { tileClass } from './shape.ts'
import { cut, slugOf, toneOf } from './words.ts'

/** The pages of a list, at least one and at most `most`; `base` is the address of the first one. */
export const turnsOf = <T>(
  base: string,
  list: readonly T[],
  { size = 60, most = Infinity } = {},
) => {
  const total = Math.max(1, Math.min(most, Math.ceil(list.length / size)))
  return Array.from({ length: total }, (_, at) => ({
    address: numbered(base, at + 1),
    base,
    number: at + 1,
    total,
    /** Made when it is asked for: a member may have hundreds of pages. */
    get shown() {
      return list.slice(at * size, (at + 1) * size)
    },
    count: list.length,
  }))
}

/** One of the pages of a list. */
type Turn<T> = ReturnType<typeof turnsOf<T>>[number]

const numbered = (base: string, number: number): string =>
  number > 1 ? `${base}~${number}/` : base

/** The first page: the newest works, first one of each member. */
export const homePage = (gallery: Gallery): string => {
  const { settings, index } = gallery
  const { members, newest, tags } = index
  const place = placeOf('/', gallery)
  const facts = html`<p class=facts>${fact(members.length, 'member')} ${fact(newest.length, 'work')}</p>`
  const empty = html`<p class=empty>No work is published yet.</p>${settings.layer?.onEmpty?.()}`
  const main = [
    html`<div class=intro><h1>${settings.description || 'Newest works'}</h1>${facts}</div>`,
    newest.length === 0 ? empty : tiles(firstWorks(newest), place, { by: true }),
    tags.size > 0 && html`<h2>Tags</h2>${words(commonest(tags), { kind: 'tags', place })}`,
  ]
  const work = newest[0]?.work
  return page(place, { title: '', image: { url: work?.image ?? '', look: work?.look }, main })
}

const fact = (count: number | string, noun: string): Html => {
  const isMany = String(count) !== '1' && noun !== 'following'
  return html`<span><b>${grouped(count)}</b> ${noun}${isMany && 's'}</span>`
}

/** Newest first; nobody comes twice as long as others have not come once. */
const firstWorks = (newest: readonly Entry[]): readonly Entry[] => {
  const seen = new Set<Summary>()
  const first = newest.filter(({ member }) => !seen.has(member) && seen.add(member))
  return [...new Set([...first, ...newest])].slice(0, 60)
}

const commonest = <T>(groups: ReadonlyMap<string, Group<T>>, most = 40) =>
  [...groups].sort(([, a], [, b]) => b.items.length - a.items.length).slice(0, most)

/** All members, by name. */
export const membersPage = (turn: Turn<Summary>, gallery: Gallery): string => {
  const { skills, places } = gallery.index
  const place = placeOf(turn.address, gallery)
  const lists = [
    skills.size > 0 && html`<h2>Skills</h2>${words(commonest(skills), { kind: 'skills', place })}`,
    places.size > 0 && html`<h2>Places</h2>${words(commonest(places), { kind: 'places', place })}`,
  ]
  const main = [
    html`<h1>Members</h1>`,
    people(turn.shown, place),
    turning(turn, place),
    turn.number === 1 && lists,
  ]
  return page(place, { title: titled('Members', turn), main })
}

const people = (members: readonly Summary[], place: Place): Html =>
  html`<ul class=people>${members.map((member) => person(member, place))}</ul>`

const person = (member: Summary, place: Place): Html => {
  const { username, name, location, works } = member
  return row({
    attributes: place.settings.layer && html` data-member="${username}"`,
    link: place.to(addressOf.member(username)),
    face: avatar(member, place),
    name: cut(name, 80),
    about: location === '' ? `@${username}` : cut(location, 60),
    strip: strip(works, place),
  })
}

type Row = {
  readonly attributes?: Content
  readonly link: string
  readonly face?: Html
  readonly name: string
  readonly about: string
  readonly strip: Html
}

/** A member, or a tag, in a list of them. */
const row = ({ attributes, link, face, name, about, strip }: Row): Html =>
  html`<li${attributes}><a href=${link}>${face}<span><b>${name}</b><small>${about}</small></span>${strip}</a>`

/** The newest of some works, small. */
const strip = (works: readonly Summary['works'][number][], place: Place): Html => {
  const pictures = works.slice(0, 3).map(({ id, image }) => picture(image, place, { seed: id }))
  return html`<span class=strip aria-hidden=true>${pictures}</span>`
}

const titled = (title: string, { number }: Turn<unknown>): string =>
  number > 1 ? `${title}, page ${number}` : title

/** Tags, skills or places, the commonest first: some with pictures, then the others. */
export const wordsPage = (kind: GroupKind, gallery: Gallery): string => {
  const place = placeOf(`/${kind}/`, gallery)
  const title = { tags: 'Tags', skills: 'Skills', places: 'Places' }[kind]
  const groups = commonest<Entry | Summary>(gallery.index[kind], 500)
  const rows = groups.slice(0, 24).map(([slug, { label, items }]) =>
    row({
      link: place.to(addressOf.group(kind, slug)),
      name: cut(label, 60),
      about: grouped(items.length),
      strip: strip(items.slice(0, 3).flatMap(newestOf), place),
    }),
  )
  const main = [
    html`<h1>${title}</h1>`,
    groups.length === 0 && html`<p class=empty>There are none yet.</p>`,
    groups.length > 0 && html`<ul class=people>${rows}</ul>`,
    groups.length > rows.length && [
      html`<h2>More</h2>`,
      words(groups.slice(rows.length), { kind, place }),
    ],
  ]
  return page(place, { title, main })
}

/** The work itself, or the newest one of a member. */
const newestOf = (one: Entry | Summary): readonly Summary['works'][number][] =>
  'work' in one ? [one.work] : one.works.slice(0, 1)

/** The works of a tag, or the members of a skill or a place. */
export const groupPage = (label: string, turn: Turn<Entry | Summary>, gallery: Gallery): string => {
  const place = placeOf(turn.address, gallery)
  const works = turn.shown.flatMap((one) => ('work' in one ? [one] : []))
  const members = turn.shown.flatMap((one) => ('work' in one ? [] : [one]))
  const main = [
    html`<h1><bdi>${cut(label, 120)}</bdi> <small>${grouped(turn.count)}</small></h1>`,
    works.length > 0 && tiles(works, place, { by: true }),
    members.length > 0 && people(members, place),
    turning(turn, place),
  ]
  return page(place, { title: titled(label, turn), main })
}

/** Where one looks for names, skills, tags and titles; without a script the lists of them. */
export const searchPage = (gallery: Gallery): string => {
  const place = placeOf('/search/', gallery)
  const { to } = place
  const data = html` data-index=${to('/search.js')} data-root=${to('/')}`
  const lists = html`<a href=${to('/members/')}>members</a>, <a href=${to('/tags/')}>tags</a>, <a href=${to('/skills/')}>skills</a> and <a href=${to('/places/')}>places</a>`
  const main = [
    html`<h1>Search</h1>`,
    searchForm('./', data),
    html`<p id=found role=status></p><div id=results><p class=text>Or look through all ${lists}.</div>`,
  ]
  return page(place, { title: 'Search', main })
}

const searchForm = (action: string, data?: Html): Html =>
  html`<search><form action=${action} class=search><label for=q>Names, skills, tags and titles</label><input id=q name=q type=search autocomplete=off spellcheck=false dir=auto${data}></form></search>`

/** What hosts show where nothing is. */
export const notFoundPage = (gallery: Pick<Gallery, 'settings'>): string => {
  const place = placeOf(notFound, gallery)
  const { to } = place
  const main = [
    html`<h1>Nothing is here</h1>`,
    html`<p class=text>The page may have moved, or its member is gone. Look for it by name:</p>`,
    searchForm(to('/search/')),
    html`<p class=text>Or see the <a href=${to('/')}>newest works</a>, or all <a href=${to('/members/')}>members</a>.</p>`,
  ]
  return page(place, { title: 'Not found', main })
}

/** A member: who, and the works, those of a project together. */
export const memberPage = (member: MemberData, number: number, gallery: Gallery): string => {
  const { username, name, bio, works, looks } = member
  const turn = memberTurns(member)[number - 1]!
  const place = placeOf(turn.address, gallery)
  const { edit } = gallery.settings
  const add = (): Html => {
    const { newFile } = repositoryOf(edit)
    const file = newFile(
      `${memberFolder(username, gallery.settings)}/shots/new-work.yaml`,
      workText,
    )
    return html`<p class=more><a class=add href="${file}">Add a work of <bdi>${cut(name, 40)}</bdi></a></p>`
  }
  const main = [
    personHeader(member, place),
    works.length === 0 &&
      html`<p class=empty><bdi>${cut(name, 80)}</bdi> has shown no work yet.</p>`,
    works.length > 0 && projectsOf(member, turn, place),
    turning(turn, place),
    edit !== '' && add(),
  ]
  const image = works[0]?.image ?? member.avatar
  return page(place, {
    title: titled(name, turn),
    description: bio,
    image: { url: image, look: looks.get(image) },
    about: { member: username },
    main,
    data: personData(member, place),
  })
}

const personHeader = (member: MemberData, place: Place): Html => {
  const { username, name, location, website, twitter, skills, cover_image, looks } = member
  const look = looks.get(cover_image)
  const cover = isShown(cover_image, place) && [
    html`<div class=cover>${picture(cover_image, place, { seed: username, look, load: 'first' })}</div>`,
  ]
  const at = html` <a class=place href=${place.to(addressOf.group('places', slugOf(location)))}>${cut(location, 60)}</a>`
  const links = [
    outLink(website, bare(website), 'website'),
    outLink(twitter, bare(twitter), 'twitter'),
  ]
  const facts = [...links, ...countsOf(member)].flatMap((one) => (one ? [html`${one} `] : []))
  const who = [
    html`<h1>${cut(name, 80)}</h1>`,
    html`<p class=handle><span>@${username}</span>${location.trim() !== '' && at}</p>`,
    facts.length > 0 && html`<p class=facts>${facts}</p>`,
    bioOf(member),
    skills.length > 0 && words(skills, { kind: 'skills', place }),
  ]
  return html`<header class=person>${cover}${avatar(member, place, 'now')}<div class=who>${who}</div></header>`
}

/** The numbers of a member that are not 0, in words. */
const countsOf = (member: MemberData): readonly (Html | false)[] => {
  const { totalShots, totalFollowers, totalFollowing, Likes } = member
  const counts = [
    [totalShots, 'work'],
    [totalFollowers, 'follower'],
    [totalFollowing, 'following'],
    [Likes, 'like'],
  ] as const
  return counts.map(([count, noun]) => count !== '0' && fact(count, noun))
}

/** A member's own words: the beginning, and the rest where somebody wants it. */
const bioOf = ({ bio }: MemberData): Html | false => {
  const text = bio.trim()
  if (text === '') return false
  const start = startOf(text)
  if (start.length === text.length) return html`<p class=bio>${text}</p>`
  return html`<details class=bio><summary>${start}</summary>${text.slice(start.length)}</details>`
}

/** Some four lines of a text, up to the end of a word. */
const startOf = (text: string): string => {
  const lines = text.split('\n').slice(0, 4).join('\n')
  if (lines.length <= 300) return lines
  const start = lines.slice(0, 280)
  const end = start.search(/\s\S*$/)
  return end > 0 ? start.slice(0, end) : [...start].slice(0, -1).join('')
}

/** Who a member is, for programs that read pages. */
const personData = (member: MemberData, place: Place): object => {
  const { name, website, twitter, skills, aliases, avatar } = member
  const addresses = [website, twitter].filter((url) => url !== '')
  return {
    '@context': 'https://schema.org',
    '@type': 'Person',
    name: cut(name, 200),
    ...(aliases.length > 0 && { alternateName: aliases }),
    ...(isShown(avatar, place) && { image: avatar }),
    ...(skills.length > 0 && { knowsAbout: skills.slice(0, 20).map((skill) => cut(skill, 60)) }),
    ...(addresses.length > 0 && { sameAs: addresses.map((url) => cut(url, 500)) }),
  }
}

/** The pages of a member's works. */
export const memberTurns = <T>({
  username,
  works,
}: {
  readonly username: string
  readonly works: readonly T[]
}) => turnsOf(addressOf.member(username), works, { size: 120 })

/** Newest first, without those of a project, which come after them under its name. */
const projectsOf = (
  { username, name, projects, looks }: MemberData,
  { shown }: Turn<Work>,
  place: Place,
): readonly Content[] => {
  const ids = [...new Set(shown.map(({ id_project }) => id_project))]
  ids.sort((a, b) => Number(b === '0') - Number(a === '0'))
  return ids.map((id) => {
    const project = projects.find((one) => one.id === id)
    const begun = project && html` <small>${project.created.slice(0, 4)}</small>`
    const title = project?.title || `Project ${id}`
    const works = shown.filter(({ id_project }) => id_project === id)
    const entries = works.map((work) => {
      return { member: { username, name }, work: { ...work, look: looks.get(work.image) } }
    })
    return [id !== '0' && html`<h2>${cut(title, 120)}${begun}</h2>`, tiles(entries, place)]
  })
}

const bare = (url: string): string =>
  cut(url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, ''), 40)

const siteOf = (url: string): string => bare(url).replace(/\/.*/s, '')

/** All that the page of a work says. */
export const workData = ({ username, name, works, looks }: MemberData, at: number) => {
  const work = works[at]!
  const look = looks.get(work.large_image)
  return { username, name, work, look, newer: works[at - 1]?.id, older: works[at + 1]?.id }
}

/** A work of a member, its picture first. */
export const workPage = (
  { username, name, work, look, newer, older }: ReturnType<typeof workData>,
  gallery: Gallery,
): string => {
  const { id, title, description, tags, price_item, date, large_image } = work
  const place = placeOf(addressOf.work(username, id), gallery)
  const start = cut(title, 140)
  const source = sourceOf(large_image, place)
  const alt = work.alt || start
  const large = picture(large_image, place, { seed: id, alt, look, load: 'first' })
  const turn = (other = '', rel = '', label = '') =>
    other !== '' &&
    html`<a rel=${rel} href=${place.to(addressOf.work(username, other))}>${label}</a>`
  const figure = [
    source === undefined ? large : html`<a href="${source}">${large}</a>`,
    turn(newer, 'prev', 'Newer'),
    turn(older, 'next', 'Older'),
  ]
  const said = [
    html`<h1>${start}</h1>`,
    work.draft && html`<em class=draft>Draft</em>`,
    start.endsWith('…') && html`<p>${title}`,
    description.trim() !== '' && html`<p>${description.trim()}`,
  ]
  const facts = [
    html`<a class=author href=${place.to(addressOf.member(username))}>${cut(name, 80)}</a> `,
    html`<time>${date.slice(0, 10)}</time>`,
    price_item !== '' && html`<p class=price>${cut(price_item, 80)}</p>`,
    outLink(work.url_purchased, `Buy at ${siteOf(work.url_purchased)}`, 'buy'),
    outLink(work.attachment, 'Attachment', 'attachment'),
    source === undefined && outLink(large_image, `See the picture at ${siteOf(large_image)}`),
    tags.length > 0 && words(tags, { kind: 'tags', place }),
  ]
  const { url, isLarge } = gallery.settings
  return page(place, {
    title: `${cut(title, 90)} by ${cut(name, 60)}`,
    image: { url: large_image, look, alt },
    about: { member: username, work: id },
    main: html`<figure>${figure}</figure><div>${said}</div><div>${facts}</div>`,
    // for search engines and cards, which are of no use before it is known where the gallery is published
    description: '',
    ...(url !== '' &&
      !isLarge && {
        description: description || work.alt,
        data: {
          '@context': 'https://schema.org',
          '@type': 'VisualArtwork',
          name: cut(title, 200),
          creator: { '@type': 'Person', name: cut(name, 200) },
          dateCreated: date.slice(0, 10),
          ...(source !== undefined && { image: large_image }),
        },
      }),
  })
}

/** The picture of a person, or the first letter of the name. */
const avatar = (
  { avatar: url, name, username }: Pick<Summary, 'avatar' | 'name' | 'username'>,
  place: Place,
  load?: 'now',
): Html => {
  if (isShown(url, place))
    return html`<span class=face>${picture(url, place, { seed: username, load })}</span>`
  const letter = /\S\p{M}*/u.exec(name)?.[0].toUpperCase()
  return html`<span class="face ${toneOf(username)}" aria-hidden=true>${letter}</span>`
}

type Tile = {
  readonly member: Pick<Summary, 'username' | 'name'>
  readonly work: Pick<Entry['work'], 'id' | 'title' | 'image' | 'draft' | 'look'>
}

/** Works in rows, each picture whole; `by` says whose each is. */
const tiles = (
  entries: readonly Tile[],
  place: Place,
  { by }: { readonly by?: boolean } = {},
): Html => html`<ul class=works>${entries.map((entry, at) => tile(entry, place, { by, at }))}</ul>`

const tile = (
  { member: { username, name }, work: { id, title, image, draft, look } }: Tile,
  place: Place,
  { by, at }: { readonly by: boolean | undefined; readonly at: number },
): Html => {
  const { layer } = place.settings
  // the first row is what one sees at once
  const load = at < 4 ? 'now' : 'late'
  const shown = picture(image, place, { seed: id, look, load: at === 0 ? 'first' : load })
  const known = tileClass(look)
  const attributes = [known !== '' && html` class="${known}"`, layer && html` data-work="${id}"`]
  const parts = [
    html`<a href=${place.to(addressOf.work(username, id))}>${shown}<b>${cut(title, 90)}</b></a>`,
    layer?.onTile(id),
    draft && html` <em class=draft>Draft</em>`,
    by && html` <a class=by href=${place.to(addressOf.member(username))}>${cut(name, 60)}</a>`,
  ]
  return html`<li${attributes}>${parts}`
}

/** Words as links to their pages; of groups, with how many there are of each. */
const words = (
  list: readonly (string | readonly [slug: string, Group<unknown>])[],
  { kind, place }: { readonly kind: GroupKind; readonly place: Place },
): Html => {
  const link = (slug: string, label: string, count?: Html): Html =>
    html` <a href=${place.to(addressOf.group(kind, slug))}>${cut(label, 60)}${count}</a>`
  const links = list.map((one) => {
    if (typeof one === 'string') return link(slugOf(one), one)
    const [slug, { label, items }] = one
    return link(slug, label, html` <small>${grouped(items.length)}</small>`)
  })
  return html`<p class=words>${links}</p>`
}

/** An address of a stranger: https and http only, as it was checked. */
const outLink = (url: string, label: string, name = 'out'): Html | undefined =>
  /^https?:\/\//i.test(url) ? html`<a class=${name} href="${url}" rel=ugc>${label}</a>` : undefined

/** Links to the pages before and after one of many. */
const turning = ({ base, number, total }: Turn<unknown>, place: Place): Html | false => {
  const link = (rel: string, other: number, words: string): Html =>
    html`<a rel=${rel} href=${place.to(numbered(base, other))}>${words}</a>`
  const links = [
    number > 1 && link('prev', number - 1, 'Previous'),
    html`<span>Page ${number} of ${total}</span>`,
    number < total && link('next', number + 1, 'Next'),
  ]
  return total > 1 && html`<nav class=pages aria-label=Pages>${links}</nav>`
}

/** How somebody joins, or adds a work, with a browser alone: the repository's own page for a new file, filled in. */
export const joinPage = (gallery: Gallery): string => {
  const place = placeOf('/join/', gallery)
  const { home, host, isFilledIn, newFile } = repositoryOf(gallery.settings.edit)
  const copied = isFilledIn
    ? 'Fill in the blanks of the file.'
    : 'Copy this text into the file, and fill in the blanks.'
  const field = (id: string, label: string): Html =>
    html`<p class=field><label for=${id}>${label}</label><input id=${id} autocomplete=off autocapitalize=none spellcheck=false maxlength=64></p>`
  const link = (file: string, text: string, words: string): Html =>
    html`<a class=buy href="${newFile(file, text)}">${words}</a>`
  const text = profileText(accountOf(gallery.settings.edit))
  const { groups } = gallery.settings
  // the script knows the marks that the links begin with
  const folder = !groups ? 'members/YOUR-NAME' : `members/GROUP-${groups}/YOUR-NAME`
  const profile = link(`${folder}/profile.yaml`, text, 'Write your profile')
  const work = link(`${folder}/shots/WORK-NAME.yaml`, workText, 'Write the work’s file')
  const main = [
    html`<h1>Join</h1><p class=text>Every member and every work is a small text file in <a href="${home}">a repository</a> that many people write together. All it takes is an account at ${host}; you need no program.</p>`,
    html`<form class=join>${field('username', 'Your username: letters, digits and dashes')}`,
    html`<h2>Become a member</h2><ol class=text><li>${profile} ${copied}<pre tabindex=0>${text}</pre>`,
    html`<li>Propose the change. A check says within minutes whether something is missing, and what to write instead.`,
    html`<li>When it is merged, you are among <a href="${place.to('/members/')}">the members</a>.</ol>`,
    html`<h2>Add a work</h2>${field('work', 'A short name for the file, such as night-poster')}`,
    html`<ol class=text><li>${work} ${copied}<pre tabindex=0>${workText}</pre>`,
    html`<li>Propose the change, as above. To change something later, open its file in the repository and press Edit.</ol></form>`,
  ]
  return page(place, { title: 'Join', main })
}

/** A profile with blanks; `account` is the address that tells the number of an account. */
const profileText = (account: string): string => `id:
name:
# What follows may be left out: remove the # where you say something.
# Your account's id at ${account}, so that it is known whose changes are yours
# owners: [1]
# location: Lisbon, Portugal
# bio: A sentence about you
# website: https://example.com
# skills: [lettering, branding]
`

const workText = `id:
title:
# The day it was made: 2026-01-31
date:
# Where the picture is: https://…, or ./picture.png for a file that you upload beside this one
image:
# What follows may be left out: remove the # where you say something.
# alt: What the picture shows, for who can’t see it
# description: A sentence about it
# tags: [poster, lettering]
`

/** `https://github.com/OWNER/REPO`, perhaps with `/tree/BRANCH` and the path of the content folder after it. */
const repositoryOf = (edit: string) => {
  const [, home = edit, branch = 'main', folder = 'content'] =
    /^(.*?)(?:\/-)?\/(?:tree|src\/branch)\/([^/]+)(?:\/(.+))?$/s.exec(edit) ?? []
  const { host } = new URL(edit)
  const isFilledIn = !host.startsWith('gitlab.')
  /** Its page for a new file with this text. */
  const newFile = (file: string, value: string): string => {
    const filename = `${folder}/${file}`
    // GitLab takes the file's name, but no text any more
    if (!isFilledIn)
      return `${home}/-/new/${branch}?${new URLSearchParams({ file_name: filename })}`
    // Forgejo and Gitea spell it their own way
    const page = host === 'github.com' ? `new/${branch}` : `_new/${branch}/`
    return `${home}/${page}?${new URLSearchParams({ filename, value })}`
  }
  return { home, host, isFilledIn, newFile }
}

/** Where a forge tells the id of an account. */
const accountOf = (edit: string): string => {
  const { host, origin } = new URL(edit)
  if (host === 'github.com') return 'https://api.github.com/users/YOUR-ACCOUNT'
  if (host.startsWith('gitlab.')) return `${origin}/api/v4/users?username=YOUR-ACCOUNT`
  return `${origin}/api/v1/users/YOUR-ACCOUNT`
}
