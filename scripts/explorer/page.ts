import { type Html, html, markupOf, trusted } from '../text/html.ts'
import type { View } from './data/data.ts'
import { policy } from './parts/images.ts'

export type PageOptions = {
  /** What the page is about; `''` for the page of all members. */
  readonly title: string
  readonly main: Html
  readonly view: View
}

/** A whole page, as text. */
export const page = ({ title, main, view }: PageOptions): string => {
  const { links, path, site, version } = view
  return markupOf(html`<!doctype html>
<html lang="en" data-version="${version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${path === undefined && html`<meta http-equiv="Content-Security-Policy" content="${policy(view)}">`}
<meta name="referrer" content="same-origin">
<title>${title === '' ? '' : `${title} · `}Shotpress preview</title>
<link rel="icon" type="image/svg+xml" href="${links.icon}">
<link rel="stylesheet" href="${links.style}">
<script src="${links.script}" defer></script>
</head>
<body${path !== undefined && html` data-live=""`}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><nav aria-label="Site"><a class="home" href="${links.home}"${title === '' && html` aria-current="page"`}>${logo}<span>Members</span></a></nav>
<p class="base" dir="ltr">${site?.baseUrl ?? 'site.yaml is not right yet'}</p>
${path !== undefined && editorSwitch(view)}</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="end"><p>Shotpress preview${path === undefined ? ', as files' : ''}: what the API serves, shown as people will see it.</p></footer>
<p id="news" class="news" role="status"></p>
</body>
</html>
`)
}

const shapes = trusted(
  '<rect x="2" y="2" width="9" height="9" rx="2.5"/><rect x="13" y="2" width="9" height="9" rx="2.5"/><rect x="2" y="13" width="9" height="9" rx="2.5"/><circle cx="17.5" cy="17.5" r="4.5"/>',
)
const logo = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">${shapes}</svg>`

/** The picture that a browser shows in a tab: a file of its own. */
export const icon = markupOf(
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#5b6ee1">${shapes}</svg>\n`,
)

const editorSwitch = ({ open, path }: View): Html => {
  const on = open !== undefined
  return html`<form class="editor" method="post" action="/-/editor"><input type="hidden" name="back" value="${path!}"><input type="hidden" name="value" value="${on ? '' : 'vscode'}"><button class="quiet-button" aria-pressed="${on ? 'true' : 'false'}">Open lines in VS Code</button></form>`
}

/** The buttons that allow images from hosts, and withdraw it; none on an exported page. */
export const imageSwitches = (hosts: readonly string[], { allowed, path }: View): Html | undefined => {
  const [on, off] = [hosts.filter((host) => allowed.has(host)), hosts.filter((host) => !allowed.has(host))]
  if (hosts.length === 0 || path === undefined) return undefined
  const button = (host: string, value: 'allow' | 'forget', words: string): Html =>
    html`<form method="post" action="/-/images"><input type="hidden" name="back" value="${path}"><input type="hidden" name="host" value="${host}"><button name="value" value="${value}">${words} <b>${host}</b></button></form>`
  return html`<section class="images" aria-label="Images">
${off.length > 0 && html`<p>Drawings stand where images will be: loading an image tells its host that you look at it.</p>`}
<div class="buttons">${off.map((host) => button(host, 'allow', 'Show images from'))}${on.map((host) => button(host, 'forget', 'Hide images from'))}</div>
</section>`
}
