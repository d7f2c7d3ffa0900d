import { grouped } from '../text/amounts.ts'
import { type Html, html } from '../text/html.ts'
import { cut, type Entry, type Group, type GroupKind, type MemberData, type Summary, slugOf } from './data.ts'
import {
  addressOf,
  type Gallery,
  isShown,
  notFound,
  type Place,
  page,
  picture,
  placeOf,
  toneOf,
} from './page.ts'

/** The pages of a list, at least one and at most `most`; `base` is the address of the first one. */
export const turnsOf = <T>(base: string, list: readonly T[], { size = 60, most = Infinity } = {}) => {
  const total = Math.max(1, Math.min(most, Math.ceil(list.length / size)))
  return Array.from({ length: total }, (_, at) => {
    const shown = list.slice(at * size, (at + 1) * size)
    return { address: numbered(base, at + 1), base, number: at + 1, total, shown, count: list.length }
  })
}

/** One of the pages of a list. */
type Turn<T> = ReturnType<typeof turnsOf<T>>[number]

const numbered = (base: string, number: number): string => (number > 1 ? `${base}~${number}/` : base)

/** The first page: the newest works, first one of each member. */
export const homePage = (gallery: Gallery): string => {
  const { members, newest, tags } = gallery.index
  const place = placeOf('/', gallery)
  const main = html`<div class=intro><h1>${gallery.settings.description || 'Newest works'}</h1><p class=facts>${fact(members.length, 'member')} ${fact(newest.length, 'work')}</p></div>${
    newest.length === 0
      ? html`<p class=empty>No work is published yet.</p>`
      : html`<div class=mosaic>${tiles(firstWorks(newest), place, { by: true, first: true })}</div>`
  }${tags.size > 0 && html`<h2>Tags</h2>${words(commonest(tags), { kind: 'tags', place })}`}`
  return page(place, { title: '', image: newest[0]?.work.image ?? '', main })
}

const fact = (count: number | string, noun: string): Html =>
  html`<span><b>${grouped(count)}</b> ${noun}${String(count) !== '1' && noun !== 'following' && 's'}</span>`

/** Newest first; nobody comes twice as long as others have not come once. */
const firstWorks = (newest: readonly Entry[]): readonly Entry[] => {
  const seen = new Set<Summary>()
  const first = newest.filter(({ member }) => !seen.has(member) && seen.add(member))
  return [...new Set([...first, ...newest])].slice(0, 60)
}

const commonest = (groups: ReadonlyMap<string, Group<unknown>>, most = 40) =>
  [...groups].sort(([, a], [, b]) => b.items.length - a.items.length).slice(0, most)

/** All members, by name. */
export const membersPage = (turn: Turn<Summary>, gallery: Gallery): string => {
  const { skills, places } = gallery.index
  const place = placeOf(turn.address, gallery)
  const main = html`<h1>Members</h1>${people(turn.shown, place)}${turning(turn, place)}${
    turn.number === 1 && [
      skills.size > 0 && html`<h2>Skills</h2>${words(commonest(skills), { kind: 'skills', place })}`,
      places.size > 0 && html`<h2>Places</h2>${words(commonest(places), { kind: 'places', place })}`,
    ]
  }`
  return page(place, { title: titled('Members', turn), main })
}

const people = (members: readonly Summary[], place: Place): Html =>
  html`<ul class=people>${members.map((member) => {
    const { username, name, location, works } = member
    const strip = works.slice(0, 3).map(({ id, image }) => picture(image, place, { seed: id }))
    return html`<li${place.settings.layer && html` data-member="${username}"`}><a href=${place.to(addressOf.member(username))}>${avatar(member, place)}<span><b>${cut(name, 80)}</b><small>${location === '' ? `@${username}` : cut(location, 60)}</small></span><span class=strip aria-hidden=true>${strip}</span></a>`
  })}</ul>`

const titled = (title: string, { number }: Turn<unknown>): string =>
  number > 1 ? `${title}, page ${number}` : title

/** Tags, skills or places, the commonest first. */
export const wordsPage = (kind: GroupKind, gallery: Gallery): string => {
  const place = placeOf(`/${kind}/`, gallery)
  const title = { tags: 'Tags', skills: 'Skills', places: 'Places' }[kind]
  const groups = commonest(gallery.index[kind], 500)
  const main = html`<h1>${title}</h1>${groups.length === 0 && html`<p class=empty>There are none yet.</p>`}${words(groups, { kind, place })}`
  return page(place, { title, main })
}

/** The works of a tag, or the members of a skill or a place. */
export const groupPage = (kind: GroupKind, label: string, turn: Turn<unknown>, gallery: Gallery) => {
  const place = placeOf(turn.address, gallery)
  const main = html`<h1><bdi>${cut(label, 120)}</bdi> <small>${grouped(turn.count)}</small></h1>${
    kind === 'tags'
      ? tiles(turn.shown as readonly Entry[], place, { by: true })
      : people(turn.shown as readonly Summary[], place)
  }${turning(turn, place)}`
  return page(place, { title: titled(label, turn), main })
}

/** Where one looks for names, skills, tags and titles; without a script the lists of them. */
export const searchPage = (gallery: Gallery): string => {
  const place = placeOf('/search/', gallery)
  const { to } = place
  const main = html`<h1>Search</h1><search><form action=./ class=search><label for=q>Names, skills, tags and titles</label><input id=q name=q type=search autocomplete=off spellcheck=false dir=auto data-index=${to('/search.js')} data-root=${to('/')}></form></search><p id=found role=status></p><div id=results><p class=text>Or look through all <a href=${to('/members/')}>members</a>, <a href=${to('/tags/')}>tags</a>, <a href=${to('/skills/')}>skills</a> and <a href=${to('/places/')}>places</a>.</div>`
  return page(place, { title: 'Search', main })
}

/** What hosts show where nothing is. */
export const notFoundPage = (gallery: Pick<Gallery, 'settings'>): string => {
  const place = placeOf(notFound, gallery)
  const main = html`<h1>Nothing is here</h1><p class=text>The page may have moved, or its member is gone. <a href=${place.to('/')}>See the newest works</a>, or look through all <a href=${place.to('/members/')}>members</a>.`
  return page(place, { title: 'Not found', main })
}

/** A member: who, and the works, those of a project together. */
export const memberPage = (member: MemberData, number: number, gallery: Gallery): string => {
  const { username, name, bio, location, website, twitter, skills, aliases, works } = member
  const turn = memberTurns(member)[number - 1]!
  const place = placeOf(turn.address, gallery)
  const counts = [
    [member.totalShots ?? works.filter(({ draft }) => !draft).length, 'work'],
    [member.totalFollowers, 'follower'],
    [member.totalFollowing, 'following'],
    [member.Likes, 'like'],
  ] as const
  const facts = [
    ...counts.map(([count, noun]) => String(count) !== '0' && fact(count, noun)),
    outLink(website, bare(website), 'website'),
    outLink(twitter, bare(twitter), 'twitter'),
  ].filter(Boolean)
  const isLong = [...bio].length > mostInHeader || bio.trim().includes('\n') || skills.length > 5
  const { edit } = gallery.settings
  const main = html`<header class=person>${
    isShown(member.cover_image, place) &&
    html`<div class=cover>${picture(member.cover_image, place, { seed: username, first: true })}</div>`
  }${avatar(member, place, { first: true })}<div class=who><h1>${cut(name, 80)}</h1><p class=handle><span>@${username}</span>${
    location.trim() !== '' &&
    html` <a class=place href=${place.to(addressOf.group('places', slugOf(location)))}>${cut(location, 60)}</a>`
  }</p>${bio.trim() !== '' && html`<p class=bio>${cut(bio, mostInHeader)}</p>`}${
    facts.length > 0 && html`<p class=facts>${facts.map((one) => html`${one} `)}</p>`
  }${skills.length > 0 && words(skills.slice(0, 5), { kind: 'skills', place })}</div></header>${
    works.length === 0
      ? html`<p class=empty><bdi>${cut(name, 80)}</bdi> has shown no work yet.</p>`
      : projectsOf(member, turn).map(({ title, works }) => {
          const entries = works.map((work) => ({ member, work }))
          return [title, tiles(entries, place)]
        })
  }${turning(turn, place)}${
    isLong &&
    html`<h2>About <bdi>${cut(name, 60)}</bdi></h2><p class=text>${bio.trim()}</p>${words(skills, { kind: 'skills', place })}`
  }${edit !== '' && html`<p class=more><a class=add href="${repositoryOf(edit).newFile(`members/${username}/shots/new-work.yaml`, workText(''))}">Add a work of <bdi>${cut(name, 40)}</bdi></a></p>`}`
  return page(place, {
    title: titled(name, turn),
    description: bio,
    image: works[0]?.image ?? member.avatar,
    about: { member: username },
    main,
    data: {
      '@context': 'https://schema.org',
      '@type': 'Person',
      name: cut(name, 200),
      ...(aliases.length > 0 && { alternateName: aliases }),
      ...(isShown(member.avatar, place) && { image: member.avatar }),
      ...(skills.length > 0 && { knowsAbout: skills.slice(0, 20).map((skill) => cut(skill, 60)) }),
      ...((website || twitter) && {
        sameAs: [website, twitter].filter((url) => url !== '').map((url) => cut(url, 500)),
      }),
    },
  })
}

/** Characters of a member's own words above the works; all of them are below. */
const mostInHeader = 160

/** The pages of a member's works. */
export const memberTurns = <T>({
  username,
  works,
}: {
  readonly username: string
  readonly works: readonly T[]
}) => turnsOf(addressOf.member(username), works, { size: 120 })

/** Newest first, without those of a project, which come after them under its name. */
const projectsOf = ({ projects }: MemberData, { shown }: Turn<MemberData['works'][number]>) => {
  const ids = [...new Set(shown.map(({ id_project }) => id_project))]
  ids.sort((a, b) => Number(b === '0') - Number(a === '0'))
  return ids.map((id) => {
    const created = projects.find((project) => project.id === id)?.created
    const title = id !== '0' && html`<h2>Project ${id}${created && `, begun ${created.slice(0, 4)}`}</h2>`
    return { title, works: shown.filter(({ id_project }) => id_project === id) }
  })
}

const bare = (url: string): string => cut(url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, ''), 40)

/** The work of a member at this place among them, its picture first. */
export const workPage = (member: MemberData, at: number, gallery: Gallery): string => {
  const work = member.works[at]!
  const { id, title, description, tags, price_item, date, large_image } = work
  const place = placeOf(addressOf.work(member.username, id), gallery)
  const start = cut(title, 140)
  const turn = (other: typeof work | undefined, rel: string, label: string): Html | false =>
    other !== undefined &&
    html`<a rel=${rel} href=${place.to(addressOf.work(member.username, other.id))}>${label}</a>`
  const shown = isShown(large_image, place)
  const main = html`<figure>${picture(large_image, place, { seed: id, alt: work.alt || start, first: true })}${turn(member.works[at - 1], 'prev', 'Newer')} ${turn(member.works[at + 1], 'next', 'Older')}</figure><div><h1>${start}</h1>${
    work.draft && html`<em class=draft>Draft</em>`
  }${start.endsWith('…') && html`<p>${title}`}${description.trim() !== '' && html`<p>${description.trim()}`}</div><div><a class=author href=${place.to(addressOf.member(member.username))}>${cut(member.name, 80)}</a> <time>${date.slice(0, 10)}</time>${price_item !== '' && html`<p class=price>${cut(price_item, 80)}</p>`}${[
    outLink(work.url_purchased, `Buy at ${bare(work.url_purchased).split('/')[0]}`, 'buy'),
    outLink(work.attachment, 'Attachment', 'attachment'),
    !shown && outLink(large_image, `See the picture at ${bare(large_image).split('/')[0]}`),
  ]}${tags.length > 0 && words(tags, { kind: 'tags', place })}</div>`
  return page(place, {
    title: `${cut(title, 90)} by ${cut(member.name, 60)}`,
    image: large_image,
    about: { member: member.username, work: id },
    main,
    // for search engines and cards, which are of no use before it is known where the gallery is published
    description: '',
    ...(gallery.settings.url !== '' &&
      !gallery.settings.isLarge && {
        description: description || work.alt,
        data: {
          '@context': 'https://schema.org',
          '@type': 'VisualArtwork',
          name: cut(title, 200),
          creator: { '@type': 'Person', name: cut(member.name, 200) },
          dateCreated: date.slice(0, 10),
          ...(shown && { image: large_image }),
        },
      }),
  })
}

/** The picture of a person, or the first letter of the name. */
const avatar = (
  { avatar: url, name, username }: Pick<Summary, 'avatar' | 'name' | 'username'>,
  place: Place,
  { first }: { readonly first?: boolean } = {},
): Html =>
  isShown(url, place)
    ? html`<span class=face>${picture(url, place, { seed: username, first })}</span>`
    : html`<span class="face t${toneOf(username)}" aria-hidden=true>${/\S\p{M}*/u.exec(name)?.[0].toUpperCase()}</span>`

/** Works in a grid; `by` says whose each is. */
const tiles = (
  entries: readonly Entry[],
  place: Place,
  { by, first }: { readonly by?: boolean; readonly first?: boolean } = {},
): Html => {
  const { layer } = place.settings
  return html`<ul class=works>${entries.map(
    ({ member: { username, name }, work: { id, title, image, draft } }) =>
      html`<li${layer && html` data-work="${id}"`}><a href=${place.to(addressOf.work(username, id))}>${picture(image, place, { seed: id, first })}<b>${cut(title, 90)}</b></a>${layer?.onTile(id)}${
        draft && html` <em class=draft>Draft</em>`
      }${by && html` <a class=by href=${place.to(addressOf.member(username))}>${cut(name, 60)}</a>`}`,
  )}</ul>`
}

/** Words as links to their pages; of groups, with how many there are of each. */
const words = (
  list: readonly (string | readonly [slug: string, Group<unknown>])[],
  { kind, place }: { readonly kind: GroupKind; readonly place: Place },
): Html =>
  html`<p class=words>${list.map((one) => {
    const [slug, { label, items }] = typeof one === 'string' ? [slugOf(one), { label: one }] : one
    return html` <a href=${place.to(addressOf.group(kind, slug))}>${cut(label, 60)}${items && html` <small>${grouped(items.length)}</small>`}</a>`
  })}`

/** An address of a stranger: https and http only, as it was checked. */
const outLink = (url: string, label: string, name = 'out'): Html | undefined =>
  /^https?:\/\//i.test(url) ? html`<a class=${name} href="${url}" rel=ugc>${label}</a>` : undefined

/** Links to the pages before and after one of many. */
const turning = ({ base, number, total }: Turn<unknown>, place: Place): Html | false => {
  const link = (rel: string, other: number, words: string): Html =>
    html`<a rel=${rel} href=${place.to(numbered(base, other))}>${words}</a>`
  return (
    total > 1 &&
    html`<nav class=pages aria-label=Pages>${number > 1 && link('prev', number - 1, 'Previous')}<span>Page ${number} of ${total}</span>${number < total && link('next', number + 1, 'Next')}</nav>`
  )
}

/** How somebody joins, or adds a work, with a browser alone: the repository's own page for a new file, filled in. */
export const joinPage = (gallery: Gallery): string => {
  const { members, newest } = gallery.index
  const place = placeOf('/join/', gallery)
  const { home, host, isFilledIn, newFile } = repositoryOf(gallery.settings.edit)
  const profile = profileText(nextId(members.map(({ id }) => id)))
  const shot = workText(nextId(newest.map(({ work }) => work.id)))
  const copied = isFilledIn
    ? 'Fill in the blanks of the file.'
    : 'Copy this text into the file, and fill in the blanks.'
  const main = html`<h1>Join</h1><p class=text>Every member and every work is a small text file in <a href="${home}">a repository</a> that many people write together. All it takes is an account at ${host}; you need no program.</p><h2>Become a member</h2><ol class=text><li><a class=buy href="${newFile('members/YOUR-NAME/profile.yaml', profile)}">Write your profile</a><li>Put your username where the file’s name says YOUR-NAME: letters, digits and dashes. ${copied}<pre tabindex=0>${profile}</pre><li>Propose the change. A check says within minutes whether something is missing, and what to write instead.<li>When it is merged, you are among <a href="${place.to('/members/')}">the members</a>.</ol><h2>Add a work</h2><ol class=text><li><a class=buy href="${newFile('members/YOUR-NAME/shots/NAME.yaml', shot)}">Write the work’s file</a><li>Put your username and a name for the file into its name. ${copied}<pre tabindex=0>${shot}</pre><li>Propose the change, as above. To change something later, open its file in the repository and press Edit.</ol>`
  return page(place, { title: 'Join', main })
}

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
const nextId = (ids: readonly string[]): string =>
  String(1 + ids.reduce((most, id) => (id.length > 15 ? most : Math.max(most, Number(id) || 0)), 0))

/** `https://github.com/OWNER/REPO`, perhaps with `/tree/BRANCH` and the path of the content folder after it. */
const repositoryOf = (edit: string) => {
  const [, home = edit, branch = 'main', folder = 'content'] =
    /^(.*?)(?:\/-)?\/(?:tree|src\/branch)\/([^/]+)(?:\/(.+))?$/.exec(edit) ?? []
  const { host } = new URL(edit)
  const isFilledIn = !host.startsWith('gitlab.')
  /** Its page for a new file with this text. */
  const newFile = (file: string, value: string): string => {
    const filename = `${folder}/${file}`
    // GitLab takes the file's name, but no text any more
    if (!isFilledIn) return `${home}/-/new/${branch}?${new URLSearchParams({ file_name: filename })}`
    // Forgejo and Gitea spell it their own way
    const page = host === 'github.com' ? `new/${branch}` : `_new/${branch}/`
    return `${home}/${page}?${new URLSearchParams({ filename, value })}`
  }
  return { home, host, isFilledIn, newFile }
}
