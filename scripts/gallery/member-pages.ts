import { type Html, html } from '../text/html.ts'
import { type MemberData, slugOf, type Work } from './data.ts'
import { addWorkLink } from './join-page.ts'
import {
  addressOf,
  avatar,
  cut,
  type Gallery,
  isShown,
  linksFrom,
  numbered,
  outLink,
  page,
  picture,
  sourceOf,
  tiles,
  turning,
  words,
} from './page.ts'

/** A member: who, and the works, those of a project together. */
export const memberPage = (
  member: MemberData,
  { settings, number = 1 }: Gallery & { number?: number },
): string => {
  const base = addressOf.member(member.username)
  const path = number > 1 ? `${base}~${number}/` : base
  const to = linksFrom(path, settings)
  const { username, name, bio, location, website, twitter, skills, aliases, works } = member
  const links = [
    outLink(website, bare(website), 'website'),
    outLink(twitter, bare(twitter), 'twitter'),
  ].filter(Boolean)
  const edit = addWorkLink(username, settings)
  const where =
    location.trim() !== '' &&
    html` <a class=place href="${to(addressOf.group('places', slugOf(location)))}"><bdi>${cut(location, 60)}</bdi></a>`
  const facts = member.counts.map(([count, noun]) => html`<span><b>${grouped(count)}</b> ${noun}</span> `)
  const isLong = [...bio].length > mostInHeader || bio.trim().includes('\n') || skills.length > 5
  const main = html`<header class=person>${
    isShown(member.cover, settings) &&
    html`<div class=cover>${picture(member.cover, { to, settings, seed: username, first: true })}</div>`
  }${avatar(member, { to, settings, first: true })}<div class=who><h1 dir=auto>${cut(name, 80)}</h1><p class=handle><bdi>@${username}</bdi>${where}</p>${
    bio.trim() !== '' && html`<p class=bio dir=auto>${cut(bio, mostInHeader)}</p>`
  }${(facts.length > 0 || links.length > 0) && html`<p class=facts>${facts}${links.map((link) => html`${link} `)}</p>`}${
    skills.length > 0 && words(skills.slice(0, 5), { kind: 'skills', slug: slugOf, to })
  }</div></header>${
    works.length === 0
      ? html`<p class=empty><bdi>${cut(name, 80)}</bdi> has shown no work yet.</p>`
      : projectsOf(member, number).map(({ title, works }) => {
          const grid = tiles(
            works.map((work) => ({ member, work })),
            { to, settings },
          )
          return html`${title !== '' && html`<h2>${title}</h2>`}${grid}`
        })
  }${turning(base, { number, total: memberPagesOf(works), to })}${
    isLong &&
    html`<h2>About <bdi>${cut(name, 60)}</bdi></h2><p class=text dir=auto>${bio.trim()}</p>${words(skills, { kind: 'skills', slug: slugOf, to })}`
  }${edit !== '' && html`<p class=more><a class=add href="${edit}">Add a work of <bdi>${cut(name, 40)}</bdi></a></p>`}`
  return page(
    {
      ...{ path, title: numbered(name, number), description: bio, type: 'profile', part: '/members/', main },
      image: works[0]?.image ?? member.avatar,
      feed: `${base}feed.xml`,
      attributes: html` class=member data-member="${username}"`,
      data: {
        ...{ '@context': 'https://schema.org', '@type': 'Person', name: cut(name, 200) },
        ...(aliases.length > 0 && { alternateName: aliases }),
        ...(bio !== '' && { description: cut(bio, 300) }),
        ...(isShown(member.avatar, settings) && { image: member.avatar }),
        ...(skills.length > 0 && { knowsAbout: skills.slice(0, 20).map((skill) => cut(skill, 60)) }),
        ...((website || twitter) && {
          sameAs: [website, twitter].filter((url) => url !== '').map((url) => cut(url, 500)),
        }),
      },
    },
    settings,
  )
}

/** Characters of a member's own words above the works; all of them are below. */
const mostInHeader = 160

/** Works on one page of a member. */
const pageSize = 120

/** Pages of a member's works. */
export const memberPagesOf = ({ length }: readonly unknown[]): number =>
  Math.max(1, Math.ceil(length / pageSize))

/** Newest first, without those of a project, which come after them under its name. */
const projectsOf = (
  { works, projects }: MemberData,
  number: number,
): readonly { title: string; works: readonly Work[] }[] => {
  const shown = works.slice((number - 1) * pageSize, number * pageSize)
  const of = new Map<string, Work[]>()
  for (const work of shown) of.set(work.project, [...(of.get(work.project) ?? []), work])
  if (of.size === 1 && of.has('0')) return [{ title: '', works: shown }]
  return [...of]
    .sort(([a], [b]) => Number(b === '0') - Number(a === '0'))
    .map(([id, works]) => {
      const created = projects.find((project) => project.id === id)?.created
      return { title: id === '0' ? '' : `Project ${id}${created && `, begun ${created.slice(0, 4)}`}`, works }
    })
}

const bare = (url: string): string => cut(url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, ''), 40)

const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',')

/** One work, its picture first. */
export const workPage = (member: MemberData, at: number, { settings }: Gallery): string => {
  const work = member.works[at]!
  const path = addressOf.work(member.username, work.id)
  const to = linksFrom(path, settings)
  const { title, description, tags, price, date } = work
  const turn = (other: Work | undefined, rel: string, label: string): Html | false =>
    other !== undefined &&
    html`<a rel="${rel}" href="${to(addressOf.work(member.username, other.id))}" aria-label="${label}: ${cut(other.title, 60)}"></a>`
  const others = member.works.filter((_, place) => place !== at)
  const start = Math.max(0, Math.min(at - 2, others.length - 4))
  const shown = isShown(work.large, settings)
  const main = html`<figure class=stage>${shown ? html`<a href="${sourceOf(work.large, to, settings)!}">${picture(work.large, { to, settings, seed: work.id, alt: work.alt || cut(title, 140), first: true })}</a>` : picture('', { to, settings, seed: work.id })}${turn(member.works[at - 1], 'prev', 'Newer')}${turn(member.works[at + 1], 'next', 'Older')}</figure><div class=about><div><h1 dir=auto>${cut(title, 140)}</h1>${
    work.draft && html`<em class=draft>Draft</em>`
  }${[...title].length > 140 && html`<p class=text dir=auto>${title}</p>`}${description.trim() !== '' && html`<p class=text dir=auto>${description.trim()}</p>`}</div><div class=side><a class=author href="${to(addressOf.member(member.username))}">${avatar(member, { to, settings })}<bdi>${cut(member.name, 80)}</bdi></a><p><time datetime="${date.slice(0, 10)}">${day(date)}</time></p>${price !== '' && html`<p class=price dir=auto>${cut(price, 80)}</p>`}<p class=links>${[
    outLink(work.buy, `Buy at ${cut(hostName(work.buy).replace(/^www\./, ''), 40)}`, 'buy'),
    outLink(work.attachment, 'Attachment', 'attachment'),
    !shown && outLink(work.large, `See the picture at ${cut(hostName(work.large), 40)}`),
  ]}</p>${tags.length > 0 && words(tags, { kind: 'tags', slug: slugOf, to })}</div></div>${
    others.length > 0 &&
    html`<h2>More by <bdi>${cut(member.name, 60)}</bdi></h2>${tiles(
      others.slice(start, start + 4).map((work) => ({ member, work })),
      { to, settings, bare: true },
    )}`
  }`
  return page(
    {
      ...{
        path,
        title: `${cut(title, 90)} by ${cut(member.name, 60)}`,
        type: 'article',
        image: work.large,
        main,
      },
      description: description || work.alt,
      attributes: html` class=work data-member="${member.username}" data-work="${work.id}"`,
      data: {
        ...{ '@context': 'https://schema.org', '@type': 'VisualArtwork', name: cut(title, 200) },
        ...{ creator: { '@type': 'Person', name: cut(member.name, 200) }, dateCreated: date.slice(0, 10) },
        ...(shown && { image: work.large }),
      },
    },
    settings,
  )
}

const hostName = (url: string): string => /^https?:\/\/([^/]*)/.exec(url)?.[1] ?? ''

/** `4 March 2014`; what time of day it was is nobody's concern. */
const day = (date: string): string =>
  `${Number(date.slice(8, 10))} ${months[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(0, 4))}`
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
