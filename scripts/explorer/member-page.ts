import { assetUrl } from '../api/assets.ts'
import { deriveUser, type Member } from '../api/derive.ts'
import type { UserRecord } from '../api/records.ts'
import { requestPath, routes } from '../api/routes.ts'
import type { Profile } from '../content/member.ts'
import { amount, grouped } from '../text/amounts.ts'
import { type Html, html } from '../text/html.ts'
import type { MemberData, Part, Problem, View, Work } from './data/data.ts'
import { type Groups, group } from './data/order.ts'
import { imageSwitches, page } from './page.ts'
import { fieldTable, link } from './parts/fields.ts'
import { hostsOf, picture } from './parts/images.ts'
import { jsonView } from './parts/json-view.ts'
import { idOf } from './parts/places.ts'
import { problemList } from './parts/problems.ts'
import { type Standing, workItem } from './parts/work.ts'

/** The page of one member. */
export const memberPage = (data: MemberData, view: View): string => {
  const groups = group(data.works)
  const member = memberOf(data, groups)
  const name = member?.profile.name ?? data.username
  const user = member && view.site && deriveUser(member, view.scheme, view.site)
  return page({
    title: name,
    view,
    main: html`${user === undefined ? unknownPerson(data, view) : person(data.profile!, { user, member: member!, view })}
${imageSwitches(hostsOf(imagesOf(data.works, user, view)), view)}
<div class="columns"><div class="content">
${works(groups, { member, view })}
</div>
<aside class="json-side" aria-label="What the API serves"><h2>As the API serves it</h2>
${routes.map((route) => jsonView({ path: requestPath(route, data.username), served: data.served[route.name] }, view))}
</aside></div>`,
  })
}

/** Known as soon as the profile was right once; `latest` is not what the page needs. */
const memberOf = ({ username, profile }: MemberData, { served, beyond }: Groups): Member | undefined =>
  profile?.value && {
    username,
    profile: profile.value,
    published: served.length + beyond.length,
    latest: served.map(({ value }) => value!),
  }

const imagesOf = (
  works: readonly Part<Work>[],
  user: UserRecord | undefined,
  { site, scheme }: View,
): readonly string[] =>
  site === undefined
    ? []
    : [
        ...(user === undefined ? [] : [user.avatar, user.cover_image]),
        ...works
          .flatMap(({ value }) => (value ? [value.image, value.large_image ?? ''] : []))
          .map((asset) => assetUrl(asset, scheme, site)),
      ].filter((url) => url !== '')

type PersonOptions = { readonly user: UserRecord; readonly member: Member; readonly view: View }

const person = (part: Part<Profile>, { user, member, view }: PersonOptions): Html =>
  html`<section class="person" data-part="the profile" id="${idOf(part.file)}">
${picture(user.cover_image, { view, kind: 'cover', seed: user.username })}
<div class="head">${picture(user.avatar, { view, kind: 'avatar', seed: user.name })}
<div class="names"><h1 dir="auto">${user.name}</h1>
<p class="handle"><bdi>@${user.username}</bdi>${user.location !== '' && html` <span class="dot" aria-hidden="true">·</span> <bdi>${user.location}</bdi>`}${also(member.profile)}</p></div></div>
${trouble(part.problems, part.stale, view)}
${user.bio !== '' && html`<p class="text bio" dir="auto">${user.bio.trimEnd()}</p>`}
<p class="links">${user.website !== '' && link(user.website, plain(user.website))} ${user.twitter !== '' && link(user.twitter, plain(user.twitter))}</p>
${member.profile.skills.length > 0 && html`<ul class="skills" aria-label="Skills">${member.profile.skills.map((skill) => html`<li><bdi>${skill}</bdi></li>`)}</ul>`}
<dl class="numbers">${numbers.map(([key, words]) => html`<div><dt>${words}</dt><dd>${grouped_(user[key])}</dd></div>`)}</dl>
<details class="all"><summary>All fields, and where they come from</summary>${fieldTable(user, { part, view })}</details>
</section>`

/** Other names at which the API answers for the member. */
const also = ({ aliases }: Profile): Html | undefined =>
  aliases.length === 0
    ? undefined
    : html` <span class="dot" aria-hidden="true">·</span> also ${aliases.map((alias, at) => html`${at > 0 && ', '}<bdi>@${alias}</bdi>`)}`

const numbers = [
  ['totalShots', 'works'],
  ['totalFollowers', 'followers'],
  ['totalFollowing', 'following'],
  ['Likes', 'likes'],
  ['Projects', 'projects'],
  ['Lists', 'lists'],
  ['Listed', 'listed'],
] as const satisfies readonly (readonly [keyof UserRecord, string])[]

/** Digits of any length, with commas. */
const grouped_ = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',')

const plain = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')

const unknownPerson = ({ username, profile, problems }: MemberData, view: View): Html =>
  html`<section class="person" data-part="the profile" id="${profile === undefined ? 'profile' : idOf(profile.file)}"><div class="head">${picture('', { view, kind: 'avatar', seed: username })}
<div class="names"><h1>${username}</h1><p class="handle">The profile can't be shown yet.</p></div></div>
${trouble([...problems, ...(profile?.problems ?? [])], false, view)}</section>`

const trouble = (problems: readonly Problem[], stale: boolean, view: View): Html | undefined =>
  problems.length === 0
    ? undefined
    : html`<div class="trouble">${stale && html`<p class="quiet">Shown as it was when it was right last.</p>`}${problemList(problems, { view })}</div>`

type WorksOptions = { readonly member: Member | undefined; readonly view: View }

const works = ({ unknown, served, beyond, drafts }: Groups, { member, view }: WorksOptions): Html => {
  const grid = (parts: Groups['served'], standing: Standing): Html =>
    html`<ul class="works">${parts.slice(0, most).map((part) => workItem(part, { member, standing, view }))}</ul>${
      parts.length > most && html`<p class="quiet">… and ${grouped(parts.length - most)} more</p>`
    }`
  return html`<section id="works" aria-labelledby="works-title"><h2 id="works-title">Works</h2>
${unknown.length > 0 && grid(unknown, 'unknown')}
${served.length === 0 ? html`<p class="quiet none">No published work yet. One is a file in the folder shots/ of the member.</p>` : grid(served, 'served')}
</section>
${beyond.length > 0 && html`<section id="beyond" class="after" aria-labelledby="beyond-title"><h2 id="beyond-title">After the fifteenth</h2><p class="quiet">${amount(beyond.length, 'older work')}: in the content, and counted, but not in the API.</p>${grid(beyond, 'beyond')}</section>`}
${drafts.length > 0 && html`<section id="drafts" class="after" aria-labelledby="drafts-title"><h2 id="drafts-title">Drafts</h2><p class="quiet">${amount(drafts.length, 'draft')}: never published, and not counted.</p>${grid(drafts, 'draft')}</section>`}`
}

/** Works of one group that a page shows; an archive can have tens of thousands. */
const most = 200
