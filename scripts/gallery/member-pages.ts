import { type Html, html } from '../text/html.ts'
import { cut, type MemberData, slugOf, type Work } from './data.ts'
import { addWorkLink } from './join-page.ts'
import {
  addressOf,
  avatar,
  type Gallery,
  isShown,
  linksFrom,
  numbered,
  outLink,
  page,
  picture,
  slugged,
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
    html` <a class=place href=${to(addressOf.group('places', slugOf(location)))}>${cut(location, 60)}</a>`
  const facts = member.counts.map(([count, noun]) => html`<span><b>${grouped(count)}</b> ${noun}</span> `)
  const isLong = [...bio].length > mostInHeader || bio.trim().includes('\n') || skills.length > 5
  const main = html`<header class=person>${
    isShown(member.cover, settings) &&
    html`<div class=cover>${picture(member.cover, { to, settings, seed: username, first: true })}</div>`
  }${avatar(member, { to, settings, first: true })}<div class=who><h1>${cut(name, 80)}</h1><p class=handle><span>@${username}</span>${where}</p>${
    bio.trim() !== '' && html`<p class=bio>${cut(bio, mostInHeader)}</p>`
  }${(facts.length > 0 || links.length > 0) && html`<p class=facts>${facts}${links.map((link) => html`${link} `)}</p>`}${
    skills.length > 0 && words(slugged(skills.slice(0, 5)), { kind: 'skills', to })
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
    html`<h2>About <bdi>${cut(name, 60)}</bdi></h2><p class=text>${bio.trim()}</p>${words(slugged(skills), { kind: 'skills', to })}`
  }${edit !== '' && html`<p class=more><a class=add href="${edit}">Add a work of <bdi>${cut(name, 40)}</bdi></a></p>`}`
  return page(
    {
      ...{ path, title: numbered(name, number), description: bio, type: 'profile', part: '/members/', main },
      image: works[0]?.image ?? member.avatar,
      feed: `${base}feed.xml`,
      ...{ kind: 'member', about: { member: username } },
      data: {
        ...{ '@context': 'https://schema.org', '@type': 'Person', name: cut(name, 200) },
        ...(aliases.length > 0 && { alternateName: aliases }),
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
    html`<a rel=${rel} href=${to(addressOf.work(member.username, other.id))}>${label}</a>`
  const shown = isShown(work.large, settings)
  const main = html`<figure>${picture(shown ? work.large : '', { to, settings, seed: work.id, alt: work.alt || cut(title, 140), first: true })}${turn(member.works[at - 1], 'prev', 'Newer')} ${turn(member.works[at + 1], 'next', 'Older')}</figure><div><h1>${cut(title, 140)}</h1>${
    work.draft && html`<em class=draft>Draft</em>`
  }${cut(title, 140).endsWith('…') && html`<p>${title}`}${description.trim() !== '' && html`<p>${description.trim()}`}</div><div><a class=author href=${to(addressOf.member(member.username))}>${cut(member.name, 80)}</a> <time>${date.slice(0, 10)}</time>${price !== '' && html`<p class=price>${cut(price, 80)}</p>`}${[
    outLink(work.buy, `Buy at ${cut(hostName(work.buy).replace(/^www\./, ''), 40)}`, 'buy'),
    outLink(work.attachment, 'Attachment', 'attachment'),
    !shown && outLink(work.large, `See the picture at ${cut(hostName(work.large), 40)}`),
  ]}${tags.length > 0 && words(slugged(tags), { kind: 'tags', to })}</div>`
  return page(
    {
      ...{ path, title: `${cut(title, 90)} by ${cut(member.name, 60)}`, type: 'article', main },
      ...{ kind: 'work', about: { member: member.username, work: work.id }, image: work.large },
      // for search engines and cards, which are of no use before it is known where the gallery is published
      description: '',
      ...(settings.url !== '' &&
        !settings.isLarge && {
          description: description || work.alt,
          data: {
            ...{ '@context': 'https://schema.org', '@type': 'VisualArtwork', name: cut(title, 200) },
            ...{
              creator: { '@type': 'Person', name: cut(member.name, 200) },
              dateCreated: date.slice(0, 10),
            },
            ...(shown && { image: work.large }),
          },
        }),
    },
    settings,
  )
}

const hostName = (url: string): string => /^https?:\/\/([^/]*)/.exec(url)?.[1] ?? ''
