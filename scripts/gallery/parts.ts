import { amount, grouped } from '../text/amounts.ts'
import { type Html, html } from '../text/html.ts'
import {
  type Entry,
  type Group,
  type GroupKind,
  type Item,
  type Summary,
  type Tile,
  worksOf,
} from './data.ts'
import { addressOf, type Place, picture, sourceOf } from './page.ts'
import { tileClass } from './shape.ts'
import { cut, initialOf, slugOf, toneOf } from './words.ts'

/** Parts that pages are put together from. */

export const fact = (count: string, noun: string): Html => {
  const isMany = count !== '1' && noun !== 'following'
  return html`<span><b>${grouped(count)}</b> ${noun}${isMany && 's'}</span>`
}

/** What a list is of, and how many. */
export const heading = (label: string, count: number): Html => {
  const amount = count > 0 && html` <small>${grouped(count)}</small>`
  return html`<h1><bdi>${label}</bdi>${amount}</h1>`
}

/** An address of a stranger. */
export const outLink = (url: string, label: string, name = 'out'): Html | false =>
  /^https?:\/\//i.test(url) && html`<a class=${name} href="${url}" rel=ugc>${label}</a>`

/** The picture of a person, or the first letter of the name. */
export const avatar = (
  { avatar: image, name, username }: Pick<Summary, 'avatar' | 'name' | 'username'>,
  place: Place,
): Html => {
  if (sourceOf(image, place))
    return html`<span class=face>${picture({ id: username, image }, place)}</span>`
  return html`<span class="face ${toneOf(username)}" aria-hidden=true>${initialOf(name)}</span>`
}

/** Works in rows, each picture whole; with `by`, each says whose it is. */
export const tiles = (
  entries: readonly Entry[],
  place: Place,
  { by = false, isFirst = true } = {},
): Html => {
  const { layer } = place.settings
  const items = entries.map(({ member: { username, name }, work }, at) => {
    const { id, title, image, draft, look } = work
    const shown = picture({ id, image, look }, place, isFirst && at === 0)
    const parts = [
      html`<a href=${place.to(addressOf.work(username, id))}>${shown}<b>${cut(title, 90)}</b></a>`,
      layer?.onTile(id),
      draft && html` <em class=draft>Draft</em>`,
      by && html` <a class=by href=${place.to(addressOf.member(username))}>${name}</a>`,
    ]
    const attributes = [
      look && html` class="${tileClass(look)}"`,
      layer && html` data-work="${id}"`,
    ]
    return html`<li${attributes}>${parts}`
  })
  return html`<ul class="works${items.length < 4 && ' few'}">${items}</ul>`
}

/** Members in a list of them. */
export const people = (members: readonly Summary[], place: Place): Html =>
  rows(
    members.map((member) => ({
      address: addressOf.member(member.username),
      face: avatar(member, place),
      label: member.name,
      about: member.location || `@${member.username}`,
      works: member.works,
    })),
    place,
  )

/**
 * Tags, skills or places, with how many each has, and works that no row above shows, if there
 * are some.
 */
export const wordRows = (kind: GroupKind, groups: readonly Slugged[], place: Place): Html => {
  const seen = new Set<Tile>()
  const worksIn = (items: readonly Item[]) => {
    const works = worksOf(items.slice(0, 60))
      .toSorted((a, b) => Number(seen.has(a)) - Number(seen.has(b)))
      .slice(0, 3)
    for (const work of works) seen.add(work)
    return works
  }
  return rows(
    groups.map(([slug, { label, items }]) => ({
      address: addressOf.group(kind, slug),
      label: cut(label, 60),
      about: amount(items.length, kind === 'tags' ? 'work' : 'member'),
      works: worksIn(items),
    })),
    place,
  )
}

type Slugged = readonly [slug: string, group: Group]

type Row = {
  readonly address: string
  readonly face?: Html
  readonly label: string
  readonly about: string
  /** The first three are shown, small. */
  readonly works: readonly Tile[]
}

const rows = (list: readonly Row[], place: Place) => {
  const items = list.map(({ address, face, label, about, works }) => {
    const strip = works.slice(0, 3).map((work) => picture(work, place))
    return html`<li><a href=${place.to(address)}>${face}<span><b>${label}</b><small>${about}</small></span><span class=strip aria-hidden=true>${strip}</span></a>`
  })
  return html`<ul class=people>${items}</ul>`
}

/** A word that says nothing of what has it. */
export const wordOf = (label: string): Slugged => [slugOf(label), { label, items: [] }]

/** Words as links to their pages, with how many there are of each that is not alone. */
export const words = (kind: GroupKind, groups: readonly Slugged[], place: Place): Html => {
  const links = groups.map(([slug, { label, items }]) => {
    const count = items.length > 1 && html` <small>${grouped(items.length)}</small>`
    return html` <a href=${place.to(addressOf.group(kind, slug))}>${cut(label, 60)}${count}</a>`
  })
  return html`<p class=words>${links}</p>`
}

/** One of the pages of a list. */
export type Turn<T> = ReturnType<typeof turnsOf<T>>[number]

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

const numbered = (base: string, number: number) => (number > 1 ? `${base}~${number}/` : base)

export const titled = (title: string, { number }: Turn<unknown>): string =>
  number > 1 ? `${title}, page ${number}` : title

/** Links to the pages before and after one of many. */
export const turning = (
  { base, number, total }: Turn<unknown>,
  place: Place,
): Html | false => {
  const link = (rel: string, other: number, words: string) =>
    html`<a rel=${rel} href=${place.to(numbered(base, other))}>${words}</a>`
  const links = [
    number > 1 && link('prev', number - 1, 'Previous'),
    html`<span>Page ${number} of ${total}</span>`,
    number < total && link('next', number + 1, 'Next'),
  ]
  return total > 1 && html`<nav class=pages aria-label=Pages>${links}</nav>`
}
