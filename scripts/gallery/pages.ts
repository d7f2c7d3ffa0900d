import { amount } from '../text/amounts.ts'
import { type Content, html } from '../text/html.ts'
import type { Entry, GroupKind, Index, Item, MemberData, Summary, Work } from './data.ts'
import {
  addressOf,
  notFound,
  type PageOptions,
  type Place,
  picture,
  sourceOf,
} from './page.ts'
import {
  avatar,
  fact,
  heading,
  outLink,
  people,
  type Turn,
  tiles,
  titled,
  turning,
  turnsOf,
  wordOf,
  wordRows,
  words,
} from './parts.ts'
import { cut, slugOf } from './words.ts'

/** The first page: the newest works, first one of each member. */
export const homePage = (index: Index, place: Place): PageOptions => {
  const { members, newest } = index
  const { description } = place.settings
  const isEmpty = newest.length === 0
  const count = `${amount(newest.length, 'work')} by ${amount(members.length, 'member')}`
  const works = [
    description !== '' && html`<p class=facts><span>${count}</span>`,
    tiles(firstWorks(newest), place, { by: true }),
    html`<p class=more><a class=add href=${place.to('/members/')}>All members</a>`,
    commonWords('tags', index, place),
  ]
  const main = [
    html`<h1>${description || (isEmpty ? 'Welcome' : count)}</h1>`,
    isEmpty ? noWork(place) : works,
  ]
  return { title: '', picture: newest[0]?.work, feed: '/feed.xml', main }
}

/**
 * What a page says where nothing is yet, what can be done there, and frames for what is to
 * come.
 */
const nothing = (words: Content, place: Place, button = joinButton('Join', place)) =>
  html`<p class=empty>${words}</p>${place.settings.layer?.onEmpty?.() ?? button}<ul class=works aria-hidden=true>${frames}</ul>`

const noWork = (place: Place) =>
  nothing('No work is published yet.', place, joinButton('Show the first one', place))

const frames = html`<li class=r14><i class=blank></i><li class=r0><i class=blank></i><li class=r0><i class=blank></i><li class=r20><i class=blank></i>`

const joinButton = (label: string, { to, settings }: Place, about = '') =>
  settings.edit !== '' &&
  html`<p class=more><a class=add href="${to('/join/')}${about}">${label}</a>`

/** Newest first; nobody comes twice as long as others have not come once. */
const firstWorks = (newest: readonly Entry[]) => {
  const seen = new Set<Summary>()
  const first = newest.filter(({ member }) => !seen.has(member) && seen.add(member))
  return [...new Set([...first, ...newest])].slice(0, 60)
}

const titles = { tags: 'Tags', skills: 'Skills', places: 'Places' } as const

const commonest = (kind: GroupKind, index: Index) =>
  [...index[kind]].sort(([, a], [, b]) => b.items.length - a.items.length)

const commonWords = (kind: GroupKind, index: Index, place: Place) => {
  const some = commonest(kind, index).slice(0, 40)
  return some.length > 0 && html`<h2>${titles[kind]}</h2>${words(kind, some, place)}`
}

/** All members, by name. */
export const membersPage = (turn: Turn<Summary>, index: Index, place: Place): PageOptions => {
  const main = [
    heading('Members', turn.count),
    turn.count === 0 && nothing('Nobody has joined yet.', place),
    people(turn.shown, place),
    turning(turn, place),
    commonWords('skills', index, place),
    commonWords('places', index, place),
  ]
  return { title: titled('Members', turn), main }
}

/** Tags, skills or places, the commonest first: some with pictures, then the others. */
export const wordsPage = (kind: GroupKind, index: Index, place: Place): PageOptions => {
  const groups = commonest(kind, index)
  const others = groups.slice(24, 144)
  const main = [
    heading(titles[kind], groups.length),
    groups.length === 0 && nothing('There are none yet.', place),
    wordRows(kind, groups.slice(0, 24), place),
    others.length > 0 && html`<h2>More</h2>${words(kind, others, place)}`,
  ]
  return { title: titles[kind], main }
}

/** The works of a tag, or the members of a skill or a place. */
export const groupPage = (
  kind: GroupKind,
  label: string,
  turn: Turn<Item>,
  place: Place,
): PageOptions => {
  const all = place.to(`/${kind}/`)
  const works = turn.shown.filter((one) => 'work' in one)
  const members = turn.shown.filter((one): one is Summary => !('work' in one))
  const main = [
    html`<p class=facts><a href=${all}>${titles[kind]}</a></p>`,
    heading(cut(label, 120), turn.count),
    works.length > 0 ? tiles(works, place, { by: true }) : people(members, place),
    turning(turn, place),
  ]
  return { title: titled(label, turn), main }
}

/** Where one looks for names, skills, tags and titles. */
export const searchPage = (index: Index, place: Place): PageOptions => ({
  title: 'Search',
  main: html`<h1>Search</h1>${searchIn(index, place)}`,
})

/** What hosts show where nothing is. */
export const notFoundPage = (index: Index, place: Place): PageOptions => ({
  title: 'Not found',
  main: html`<h1>Nothing is here</h1>
    <p class=empty>The page may have moved, or its member is gone. Look for it by name:</p>${searchIn(index, place)}`,
})

/** A search, with what can be found without one below it, until something is. */
const searchIn = (index: Index, place: Place) => {
  const { to, path } = place
  const focus = path !== notFound && html` autofocus`
  const lists = [
    html`<a href=${to('/members/')}>Members</a> <a href=${to('/tags/')}>Tags</a> `,
    html`<a href=${to('/skills/')}>Skills</a> <a href=${to('/places/')}>Places</a> `,
  ]
  const works = firstWorks(index.newest).slice(0, 4)
  const offered = [
    html`<p class=words>${lists}</p>`,
    html`<h2>New</h2>${tiles(works, place, { by: true })}`,
    commonWords('tags', index, place),
  ]
  return html`<form class=search role=search><label for=q>Names, skills, tags and titles</label><input id=q name=q type=search autocomplete=off spellcheck=false dir=auto${focus} data-index=${to('/search.js')}></form>
    <p id=found role=status></p>
    <div id=results>${works.length > 0 ? offered : noWork(place)}</div>`
}

/** The pages of a member's works. */
export const memberTurns = <T>(username: string, works: readonly T[]) =>
  turnsOf(addressOf.member(username), works, { size: 120 })

/** A member: who, and the works, those of a project together. */
export const memberPage = (
  member: MemberData,
  turn: Turn<Work>,
  place: Place,
): PageOptions => {
  const { username, name, bio, works } = member
  const button = joinButton('Add a work', place, `?username=${username}#title`)
  const main = [
    personHeader(member, place),
    works.length === 0 &&
      nothing(html`<bdi>${name}</bdi> has shown no work yet.`, place, button),
    projectsOf(member, turn, place),
    turning(turn, place),
    works.length > 0 && button,
  ]
  const picture = works[0] ?? { image: member.avatar }
  const feed = `${addressOf.member(username)}feed.xml`
  return { title: titled(name, turn), description: bio, picture, kind: 'member', feed, main }
}

const personHeader = (member: MemberData, place: Place) => {
  const { username, name, location, website, twitter, skills, cover_image: image } = member
  const cover = picture({ id: username, image, look: member.coverLook }, place, true)
  const at = place.to(addressOf.group('places', slugOf(location)))
  const counts = {
    work: member.totalShots,
    follower: member.totalFollowers,
    following: member.totalFollowing,
    like: member.Likes,
  }
  const facts = [
    ...[website, twitter].map((url) => outLink(url, bare(url))),
    ...Object.entries(counts).map(([noun, count]) => count !== '0' && fact(count, noun)),
  ].filter(Boolean)
  const who = [
    html`<h1>${name}</h1><p class=handle><span>@${username}</span>`,
    location !== '' && html` <a href=${at}>${location}</a>`,
    facts.length > 0 && html`<p class=facts>${facts.flatMap((one) => [one, ' '])}</p>`,
    bioOf(member.bio.trim()),
    skills.length > 0 && words('skills', skills.map(wordOf), place),
  ]
  const top = sourceOf(image, place) && html`<div class=cover>${cover}</div>`
  return html`<header class=person>${top}${avatar(member, place)}<div class=who>${who}</div></header>`
}

/** A member's own words, as far as four lines go; all of them where somebody wants it. */
const bioOf = (text: string) => {
  const isLong = text.length > 300 || text.split('\n').length > 4
  if (isLong)
    return html`<details class=bio><summary><span>${text}</span></summary></details>`
  return text !== '' && html`<p class=bio>${text}</p>`
}

/** Newest first, without those of a project, which come after them under its name. */
const projectsOf = (member: MemberData, { shown }: Turn<Work>, place: Place) => {
  const ids = [...new Set(shown.map(({ id_project }) => id_project))]
  ids.sort((a, b) => Number(b === '0') - Number(a === '0'))
  const groups = ids.map((id, at) => {
    const project = member.projects.find((one) => one.id === id)
    const begun = project && html` <small>${project.created.slice(0, 4)}</small>`
    const title = cut(project?.title || `Project ${id}`, 120)
    const works = shown.filter((work) => work.id_project === id)
    const entries = works.map((work) => ({ member, work }))
    const heading = id !== '0' && html`<h2>${title}${begun}</h2>`
    return html`<div>${heading}${tiles(entries, place, { isFirst: at === 0 })}</div>`
  })
  return html`<div class=groups>${groups}</div>`
}

const bare = (url: string) =>
  cut(url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, ''), 40)

const siteOf = (url: string) => bare(url).replace(/\/.*/s, '')

/** A work of a member, its picture first. */
export const workPage = (
  { username, name, works }: MemberData,
  at: number,
  place: Place,
): PageOptions => {
  const work = works[at]!
  const { id, title, price_item, url_purchased, attachment, large_image, tags } = work
  const start = cut(title, 140)
  const description = work.description.trim()
  const day = work.date.slice(0, 10)
  const source = sourceOf(large_image, place)
  const shown = { id, image: large_image, look: work.largeLook, alt: work.alt || start }
  const large = picture(shown, place, true)
  const turn = (other: Work | undefined, rel: string, label: string) =>
    other &&
    html`<a rel=${rel} href=${place.to(addressOf.work(username, other.id))}>${label}</a>`
  const figure = [
    source === undefined ? large : html`<a href="${source}">${large}</a>`,
    turn(works[at - 1], 'prev', 'Newer'),
    turn(works[at + 1], 'next', 'Older'),
  ]
  const said = [
    html`<h1>${start}</h1>`,
    work.draft && html`<em class=draft>Draft</em>`,
    start.endsWith('…') && html`<p>${title}`,
    description !== '' && html`<p>${description}`,
  ]
  const facts = [
    html`<a class=author href=${place.to(addressOf.member(username))}>${name}</a> <time>${day}</time>`,
    price_item !== '' && html`<p class=price>${cut(price_item, 80)}</p>`,
    outLink(url_purchased, `Buy at ${siteOf(url_purchased)}`, 'buy'),
    outLink(attachment, 'Attachment', 'attachment'),
    source === undefined && outLink(large_image, `See the picture at ${siteOf(large_image)}`),
    tags.length > 0 && words('tags', tags.map(wordOf), place),
  ]
  const data = {
    '@context': 'https://schema.org',
    '@type': 'VisualArtwork',
    name: cut(title, 200),
    creator: { '@type': 'Person', name },
    dateCreated: day,
    image: source && large_image,
  }
  return {
    title: `${cut(title, 90)} by ${name}`,
    // cards and search engines have no use for it before it is known where the gallery is published
    ...(place.settings.url === ''
      ? { description: '' }
      : { description: description || work.alt, data }),
    picture: shown,
    kind: 'work',
    main: html`<figure>${figure}</figure><div>${said}</div><div>${facts}</div>`,
  }
}
