import { grouped } from '../text/amounts.ts'
import { type Html, html } from '../text/html.ts'
import { cut, type Entry, type Group, type MemberData, type Summary, slugOf, type Work } from './data.ts'
import {
  addressOf,
  avatar,
  type Gallery,
  type GroupKind,
  isShown,
  numbered,
  outLink,
  type Place,
  page,
  picture,
  placeOf,
  type Settings,
  slugged,
  tiles,
  turning,
  words,
} from './page.ts'

/** Members or works on one page. */
export const pageSize = 60

/** Pages of one tag, skill or place: the newest 600 works. */
export const pagesOf = ({ length }: readonly unknown[]): number =>
  Math.max(1, Math.min(10, Math.ceil(length / pageSize)))

/** The first page: the newest works, first one of each member. */
export const homePage = (gallery: Gallery): string => {
  const { members, newest, tags } = gallery.index
  const place = placeOf('/', gallery)
  const main = html`<div class=intro><h1>${gallery.settings.description || 'Newest works'}</h1><p class=facts>${fact(members.length, 'member')} ${fact(newest.length, 'work')}</p></div>${
    newest.length === 0
      ? html`<p class=empty>No work is published yet.</p>`
      : html`<div class=mosaic>${tiles(firstWorks(newest), place, { by: true, first: true })}</div>`
  }${tags.size > 0 && html`<h2>Tags</h2>${wordList(commonest(tags), 'tags', place)}`}`
  return page(place, { title: '', feed: '/feed.xml', image: newest[0]?.work.image ?? '', part: '/', main })
}

const fact = (count: number | string, noun: string): Html =>
  html`<span><b>${grouped(count)}</b> ${noun}${String(count) !== '1' && noun !== 'following' && 's'}</span>`

/** Newest first; nobody comes twice as long as others have not come once. */
const firstWorks = (newest: readonly Entry[]): readonly Entry[] => {
  const seen = new Set<Summary>()
  const first = newest.filter(({ member }) => !seen.has(member) && seen.add(member)).slice(0, pageSize)
  return [...new Set([...first, ...newest.slice(0, 2 * pageSize)])].slice(0, pageSize)
}

const commonest = <T>(groups: ReadonlyMap<string, Group<T>>): readonly (readonly [string, Group<T>])[] =>
  [...groups].sort(([, a], [, b]) => b.items.length - a.items.length).slice(0, 40)

const wordList = (
  groups: readonly (readonly [string, Group<unknown>])[],
  kind: GroupKind,
  place: Place,
): Html =>
  words(
    groups.map(([slug, { label, items }]) => [slug, label, grouped(items.length)]),
    { kind, place },
  )

/** All members, by name; `undefined` if there are not so many pages. */
export const membersPage = (number: number, gallery: Gallery): string | undefined => {
  const { members, skills, places } = gallery.index
  const place = placeOf(numbered('/members/', number), gallery)
  const rows = members.slice((number - 1) * pageSize, number * pageSize)
  if (number > 1 && rows.length === 0) return undefined
  const main = html`<h1>Members</h1>${people(rows, place)}${turning('/members/', { number, total: Math.ceil(members.length / pageSize), place })}${
    number === 1 && [
      skills.size > 0 && html`<h2>Skills</h2>${wordList(commonest(skills), 'skills', place)}`,
      places.size > 0 && html`<h2>Places</h2>${wordList(commonest(places), 'places', place)}`,
    ]
  }`
  return page(place, { title: titled('Members', number), part: '/members/', main })
}

const people = (members: readonly Summary[], place: Place): Html =>
  html`<ul class=people>${members.map((member) => {
    const { username, name, location, works } = member
    const strip = works.slice(0, 3).map(({ id, image }) => picture(image, place, { seed: id }))
    return html`<li${place.settings.layer && html` data-member="${username}"`}><a href=${place.to(addressOf.member(username))}>${avatar(member, place)}<span><b>${cut(name, 80)}</b><small>${location === '' ? `@${username}` : cut(location, 60)}</small></span><span class=strip aria-hidden=true>${strip}</span></a>`
  })}</ul>`

const titled = (title: string, number: number): string => (number > 1 ? `${title}, page ${number}` : title)

/** All tags, skills or places. */
export const wordsPage = (kind: GroupKind, gallery: Gallery): string => {
  const place = placeOf(`/${kind}/`, gallery)
  const title = { tags: 'Tags', skills: 'Skills', places: 'Places' }[kind]
  const all: ReadonlyMap<string, Group<unknown>> = gallery.index[kind]
  const groups = commonest(all)
  const shown = new Set(groups.map(([slug]) => slug))
  const rest = [...all].filter(([slug]) => !shown.has(slug)).slice(0, 500)
  const main = html`<h1>${title}</h1>${groups.length === 0 && html`<p class=empty>There are none yet.</p>`}${wordList(groups, kind, place)}${rest.length > 0 && html`<h2>And others</h2>${wordList(rest, kind, place)}`}`
  return page(place, { title, part: place.path, main })
}

/** The works of a tag, or the members of a skill or a place; `undefined` if there is no such page. */
export const groupPage = (
  kind: GroupKind,
  slug: string,
  number: number,
  gallery: Gallery,
): string | undefined => {
  const { label, items } = gallery.index[kind].get(slug) ?? { label: '', items: [] }
  if (items.length === 0 || number > pagesOf(items)) return undefined
  const base = addressOf.group(kind, slug)
  const place = placeOf(numbered(base, number), gallery)
  const shown = items.slice((number - 1) * pageSize, number * pageSize)
  const main = html`<h1><bdi>${cut(label, 120)}</bdi> <small>${grouped(items.length)}</small></h1>${
    kind === 'tags'
      ? tiles(shown as readonly Entry[], place, { by: true })
      : people(shown as readonly Summary[], place)
  }${turning(base, { number, total: pagesOf(items), place })}`
  return page(place, { title: titled(label, number), part: `/${kind}/`, main })
}

/** Where one looks for names, skills, tags and titles; without a script the lists of them. */
export const searchPage = (gallery: Gallery): string => {
  const place = placeOf('/search/', gallery)
  const { path, to } = place
  const main = html`<h1>Search</h1><search><form action=./ class=search><label for=q>Names, skills, tags and titles</label><input id=q name=q type=search autocomplete=off spellcheck=false dir=auto data-index=${to('/search.js')} data-root=${to('/')}></form></search><p id=found role=status></p><div id=results><p class=text>Or look through all <a href=${to('/members/')}>members</a>, <a href=${to('/tags/')}>tags</a>, <a href=${to('/skills/')}>skills</a> and <a href=${to('/places/')}>places</a>.</div>`
  return page(place, { title: 'Search', part: path, main })
}

/** What hosts show where nothing is. */
export const notFoundPage = (gallery: Pick<Gallery, 'settings'>): string => {
  const place = placeOf('/404.html', gallery)
  const main = html`<h1>Nothing is here</h1><p class=text>The page may have moved, or its member is gone. <a href=${place.to('/')}>See the newest works</a>, or look through all <a href=${place.to('/members/')}>members</a>.`
  return page(place, { title: 'Not found', head: html`<meta name=generator content=Shotpress>`, main })
}

/** A member: who, and the works, those of a project together; `undefined` if there are not so many pages. */
export const memberPage = (member: MemberData, number: number, gallery: Gallery): string | undefined => {
  if (number > memberPagesOf(member.works)) return undefined
  const { username, name, bio, location, website, twitter, skills, aliases, works } = member
  const base = addressOf.member(username)
  const place = placeOf(numbered(base, number), gallery)
  const links = [outLink(website, bare(website), 'website'), outLink(twitter, bare(twitter), 'twitter')]
  const facts = [
    ...(
      [
        [member.totalShots ?? works.filter(({ draft }) => !draft).length, 'work'],
        [member.totalFollowers, 'follower'],
        [member.totalFollowing, 'following'],
        [member.Likes, 'like'],
      ] as const
    ).flatMap(([count, noun]) => (String(count) === '0' ? [] : [fact(count, noun)])),
    ...links.filter(Boolean),
  ]
  const isLong = [...bio].length > mostInHeader || bio.trim().includes('\n') || skills.length > 5
  const edit = addWorkLink(username, gallery.settings)
  const main = html`<header class=person>${
    isShown(member.cover_image, gallery.settings) &&
    html`<div class=cover>${picture(member.cover_image, place, { seed: username, first: true })}</div>`
  }${avatar(member, place, { first: true })}<div class=who><h1>${cut(name, 80)}</h1><p class=handle><span>@${username}</span>${
    location.trim() !== '' &&
    html` <a class=place href=${place.to(addressOf.group('places', slugOf(location)))}>${cut(location, 60)}</a>`
  }</p>${bio.trim() !== '' && html`<p class=bio>${cut(bio, mostInHeader)}</p>`}${
    facts.length > 0 && html`<p class=facts>${facts.map((one) => html`${one} `)}</p>`
  }${skills.length > 0 && words(slugged(skills.slice(0, 5)), { kind: 'skills', place })}</div></header>${
    works.length === 0
      ? html`<p class=empty><bdi>${cut(name, 80)}</bdi> has shown no work yet.</p>`
      : projectsOf(member, number).map(
          ({ title, works }) =>
            html`${title !== '' && html`<h2>${title}</h2>`}${tiles(
              works.map((work) => ({ member, work })),
              place,
            )}`,
        )
  }${turning(base, { number, total: memberPagesOf(works), place })}${
    isLong &&
    html`<h2>About <bdi>${cut(name, 60)}</bdi></h2><p class=text>${bio.trim()}</p>${words(slugged(skills), { kind: 'skills', place })}`
  }${edit !== '' && html`<p class=more><a class=add href="${edit}">Add a work of <bdi>${cut(name, 40)}</bdi></a></p>`}`
  return page(place, {
    ...{ title: titled(name, number), description: bio, type: 'profile', part: '/members/', main },
    ...{ image: works[0]?.image ?? member.avatar, feed: `${base}feed.xml` },
    ...{ kind: 'member', about: { member: username } },
    data: {
      ...{ '@context': 'https://schema.org', '@type': 'Person', name: cut(name, 200) },
      ...(aliases.length > 0 && { alternateName: aliases }),
      ...(isShown(member.avatar, gallery.settings) && { image: member.avatar }),
      ...(skills.length > 0 && { knowsAbout: skills.slice(0, 20).map((skill) => cut(skill, 60)) }),
      ...((website || twitter) && {
        sameAs: [website, twitter].filter((url) => url !== '').map((url) => cut(url, 500)),
      }),
    },
  })
}

/** Characters of a member's own words above the works; all of them are below. */
const mostInHeader = 160

/** Works on one page of a member. */
const worksOfMember = 120

/** Pages of a member's works. */
export const memberPagesOf = ({ length }: readonly unknown[]): number =>
  Math.max(1, Math.ceil(length / worksOfMember))

/** Newest first, without those of a project, which come after them under its name. */
const projectsOf = (
  { works, projects }: MemberData,
  number: number,
): readonly { readonly title: string; readonly works: readonly Work[] }[] => {
  const shown = works.slice((number - 1) * worksOfMember, number * worksOfMember)
  const ids = [...new Set(shown.map(({ id_project }) => id_project))]
  return ids
    .sort((a, b) => Number(b === '0') - Number(a === '0'))
    .map((id) => {
      const created = projects.find((project) => project.id === id)?.created
      const title = id === '0' ? '' : `Project ${id}${created && `, begun ${created.slice(0, 4)}`}`
      return { title, works: shown.filter(({ id_project }) => id_project === id) }
    })
}

const bare = (url: string): string => cut(url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, ''), 40)

/** One work, its picture first; `undefined` if the member has no such work. */
export const workPage = (member: MemberData, id: string, gallery: Gallery): string | undefined => {
  const at = member.works.findIndex((work) => work.id === id)
  const work = member.works[at]
  if (work === undefined) return undefined
  const { settings } = gallery
  const place = placeOf(addressOf.work(member.username, id), gallery)
  const { title, description, tags, price_item, date, large_image } = work
  const start = cut(title, 140)
  const turn = (other: Work | undefined, rel: string, label: string): Html | false =>
    other !== undefined &&
    html`<a rel=${rel} href=${place.to(addressOf.work(member.username, other.id))}>${label}</a>`
  const shown = isShown(large_image, settings)
  const main = html`<figure>${picture(shown ? large_image : '', place, { seed: id, alt: work.alt || start, first: true })}${turn(member.works[at - 1], 'prev', 'Newer')} ${turn(member.works[at + 1], 'next', 'Older')}</figure><div><h1>${start}</h1>${
    work.draft && html`<em class=draft>Draft</em>`
  }${start.endsWith('…') && html`<p>${title}`}${description.trim() !== '' && html`<p>${description.trim()}`}</div><div><a class=author href=${place.to(addressOf.member(member.username))}>${cut(member.name, 80)}</a> <time>${date.slice(0, 10)}</time>${price_item !== '' && html`<p class=price>${cut(price_item, 80)}</p>`}${[
    outLink(
      work.url_purchased,
      `Buy at ${cut(hostName(work.url_purchased).replace(/^www\./, ''), 40)}`,
      'buy',
    ),
    outLink(work.attachment, 'Attachment', 'attachment'),
    !shown && outLink(large_image, `See the picture at ${cut(hostName(large_image), 40)}`),
  ]}${tags.length > 0 && words(slugged(tags), { kind: 'tags', place })}</div>`
  return page(place, {
    ...{ title: `${cut(title, 90)} by ${cut(member.name, 60)}`, type: 'article', main },
    ...{ kind: 'work', about: { member: member.username, work: id }, image: large_image },
    // for search engines and cards, which are of no use before it is known where the gallery is published
    description: '',
    ...(settings.url !== '' &&
      !settings.isLarge && {
        description: description || work.alt,
        data: {
          ...{ '@context': 'https://schema.org', '@type': 'VisualArtwork', name: cut(title, 200) },
          ...{ creator: { '@type': 'Person', name: cut(member.name, 200) }, dateCreated: date.slice(0, 10) },
          ...(shown && { image: large_image }),
        },
      }),
  })
}

const hostName = (url: string): string => /^https?:\/\/([^/]*)/.exec(url)?.[1] ?? ''

/** How somebody joins, or adds a work, with a browser alone: the repository's own page for a new file, filled in. */
export const joinPage = (gallery: Gallery): string => {
  const { settings, index } = gallery
  const place = placeOf('/join/', gallery)
  const { home, host, isFilledIn } = repositoryOf(settings.edit)
  const profile = profileText(nextId(index.members.map(({ id }) => id)))
  const shot = workText(nextId(index.newest.map(({ work }) => work.id)))
  const links = {
    profile: newFile(settings.edit, 'members/YOUR-NAME/profile.yaml', profile),
    shot: newFile(settings.edit, 'members/YOUR-NAME/shots/NAME.yaml', shot),
  }
  const copied = isFilledIn
    ? 'Fill in the blanks of the file.'
    : 'Copy this text into the file, and fill in the blanks.'
  const main = html`<h1>Join</h1><p class=text>Every member and every work is a small text file in <a href="${home}">a repository</a> that many people write together. All it takes is an account at ${host}; you need no program.</p><h2>Become a member</h2><ol class=text><li><a class=buy href="${links.profile}">Write your profile</a><li>Put your username where the file’s name says YOUR-NAME: letters, digits and dashes. ${copied}<pre tabindex=0>${profile}</pre><li>Propose the change. A check says within minutes whether something is missing, and what to write instead.<li>When it is merged, you are among <a href="${place.to('/members/')}">the members</a>.</ol><h2>Add a work</h2><ol class=text><li><a class=buy href="${links.shot}">Write the work’s file</a><li>Put your username and a name for the file into its name. ${copied}<pre tabindex=0>${shot}</pre><li>Propose the change, as above. To change something later, open its file in the repository and press Edit.</ol>`
  return page(place, { title: 'Join', part: place.path, main })
}

/** Where a member adds a work; `''` where nothing is known of the repository. */
const addWorkLink = (username: string, { edit }: Settings): string =>
  edit === '' ? '' : newFile(edit, `members/${username}/shots/new-work.yaml`, workText(''))

const profileText = (id: string): string => `id: ${id}
name:
# What follows may be left out: remove the # where you say something.
# location: Lisbon, Portugal
# bio: A sentence about you
# website: https://example.com
# skills: [lettering, branding]
`

const workText = (
  id: string,
): string => `${id === '' ? '# A number that no other work has: the gallery’s page Join tells one.\n' : ''}id:${id && ` ${id}`}
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

/** One above the highest, as `new` chooses it; ids of more than 15 digits don't count. */
const nextId = (ids: readonly string[]): string => {
  let most = 0
  for (const id of ids) if (id.length <= 15 && Number(id) > most) most = Number(id)
  return String(most + 1)
}

/** `https://github.com/OWNER/REPO`, perhaps with `/tree/BRANCH` and the path of the content folder after it. */
const repositoryOf = (edit: string) => {
  const [, home = edit, branch = 'main', folder = 'content'] =
    /^(.*?)(?:\/-)?\/(?:tree|src\/branch)\/([^/]+)(?:\/(.+))?$/.exec(edit) ?? []
  const { host } = new URL(edit)
  // GitLab takes the file's name, but no text any more
  return { home, host, branch, folder, isFilledIn: !host.startsWith('gitlab.') }
}

const newFile = (edit: string, file: string, text: string): string => {
  const { home, host, branch, folder, isFilledIn } = repositoryOf(edit)
  const name = `${folder}/${file}`
  if (!isFilledIn) return `${home}/-/new/${branch}?${new URLSearchParams({ file_name: name })}`
  // Forgejo and Gitea spell it their own way
  const page = host === 'github.com' ? `new/${branch}` : `_new/${branch}/`
  return `${home}/${page}?${new URLSearchParams({ filename: name, value: text })}`
}
