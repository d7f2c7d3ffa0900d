import { isUsername } from '../content/username.ts'
import { amount, grouped } from '../text/amounts.ts'
import { type Html, html } from '../text/html.ts'
import type { Problem, Row, View } from './data/data.ts'
import { folded } from './data/search.ts'
import { imageSwitches, page } from './page.ts'
import { hostsOf, picture } from './parts/images.ts'
import { idOf } from './parts/places.ts'
import { problemList } from './parts/problems.ts'

export type MembersData = {
  /** Those that are shown. */
  readonly rows: readonly Row[]
  /** How many members were found, of how many. */
  readonly found: number
  readonly total: number
  /** What was searched for. */
  readonly query: string
  /** Which of how many pages, counted from 1; search starts at the first. */
  readonly page: number
  readonly pages: number
  /** The first of all problems of the site. */
  readonly problems: readonly Problem[]
  readonly problemCount: number
}

/** The page of all members. */
export const membersPage = (data: MembersData, view: View): string => {
  const { rows, query } = data
  return page({
    title: '',
    view,
    main: html`<div class="intro"><h1>Members</h1>
<search><form class="search" action="${view.links.home}" method="get"><label for="q">Search by name, username or place</label><input id="q" name="q" type="search" value="${query}" autocomplete="off" spellcheck="false" dir="auto"><button>Search</button></form></search></div>
${whatIsWrong(data, view)}
${imageSwitches(hostsOf(rows.map(({ avatar }) => avatar[view.scheme])), view)}
<div id="results">
<p class="count" id="count">${countOf(data)}</p>
<ul class="members">${rows.map((row) => memberItem(row, view))}</ul>
${turning(data, view)}
</div>`,
  })
}

const countOf = ({ found, total, query }: MembersData): string =>
  query === '' ? amount(total, 'member') : `${grouped(found)} of ${amount(total, 'member')}`

const memberItem = ({ username, name, location, works, avatar, errors, warnings }: Row, view: View): Html =>
  html`<li id="member-${username}" data-part="${name || username}"${view.path === undefined && html` data-find="${folded(`${username} ${name} ${location}`)}"`}><a href="${view.links.member(username)}">${picture(
    avatar[view.scheme],
    { view, kind: 'avatar', seed: name || username },
  )}<span class="who"><b dir="auto">${name || username}</b> <span class="handle"><bdi>@${username}</bdi></span></span><span class="tally">${
    works === '' ? 'not served' : works === '1' ? '1 work' : `${works} works`
  }${errors > 0 && html` <span class="badge bad">${amount(errors, 'error')}</span>`}${
    warnings > 0 && html` <span class="badge">${amount(warnings, 'warning')}</span>`
  }</span></a></li>`

const whatIsWrong = ({ problems, problemCount }: MembersData, view: View): Html | undefined => {
  if (problems.length === 0) return undefined
  const seeAt = (file: string): string | undefined => {
    const [, username, name] = /\/members\/([^/]+)\/(?:.*\/)?([^/]+)$/.exec(file) ?? []
    return username === undefined || !isUsername(username)
      ? undefined
      : `${view.links.member(username)}#${idOf(name!)}`
  }
  return html`<section class="wrong-list" aria-labelledby="wrong-title" data-part="what is wrong" id="wrong"><h2 id="wrong-title">What is wrong</h2>
${problemList(problems, { view, seeAt })}
${problemCount > problems.length && html`<p class="quiet">… and ${grouped(problemCount - problems.length)} more; npm run check prints all of them.</p>`}</section>`
}

const turning = ({ page, pages, query }: MembersData, view: View): Html | undefined => {
  if (pages < 2) return undefined
  const to = (number: number, words: string): Html =>
    html`<a href="${view.links.home}?${new URLSearchParams({ ...(query && { q: query }), page: String(number) }).toString()}">${words}</a>`
  return html`<nav class="turning" aria-label="Pages">${page > 1 && to(page - 1, 'Previous')} <span>Page ${page} of ${pages}</span> ${page < pages && to(page + 1, 'Next')}</nav>`
}
