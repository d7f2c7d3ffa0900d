import http from 'node:http'
import { requestPath, routes, type Variant, variants } from '../api/routes.ts'
import { createSender, failed, requestFor } from '../http/exchange.ts'
import { amount } from '../text/amounts.ts'
import { type Html, html } from '../text/html.ts'
import { jsonIn } from '../text/json.ts'
import { address, type Ports } from './servers.ts'

/**
 * What the API answers for a member, in both variants: asked for over the network, as a client does. Lines that only one
 * of the two has are marked.
 */
export const apiView = async (
  username: string,
  { ports, basePath }: { readonly ports: Ports; readonly basePath: string },
): Promise<Html> => {
  const name = encodeURIComponent(username)
  const place = (scheme: Variant) => ({ hostname: address, port: ports[scheme], path: '' })
  const addresses = { https: place('https'), http: place('http') }
  const sender = createSender({ addresses, insecure: true, timeoutMs: 10_000 })
  const hear = async (scheme: Variant, path: string) => {
    const answer = await sender.send(requestFor(scheme, path, { limit: 1 << 24 }))
    const url = `${scheme}://localhost:${ports[scheme]}${path}`
    if (failed(answer)) return { url, scheme, status: answer.detail, headers: [], lines: [''] }
    const status = `${answer.status} ${http.STATUS_CODES[answer.status]}`
    const lines = pretty(Buffer.from(answer.body).toString()).split('\n')
    return { url, scheme, status, headers: answer.headers, lines }
  }
  const pairs = await Promise.all(
    routes.map((route) =>
      Promise.all(variants.map((scheme) => hear(scheme, basePath + requestPath(route, name)))),
    ),
  )
  sender.close()
  return html`<p>Each answer was asked for just now. <a class="sp-button" href="/-/api/${name}">Send the requests again</a></p>${pairs.map(
    (pair) =>
      html`<div class="sp-pair">${pair.map(({ url, scheme, status, headers, lines }, at) => {
        const others = new Set(pair[1 - at]?.lines)
        const curl = `curl ${scheme === 'https' ? '--insecure ' : ''}${url}`
        return html`<section><h2><bdi>${url}</bdi></h2><p><b>${status}</b> <button type="button" class="sp-copy" data-copy="${curl}">Copy as curl</button></p><details><summary>${amount(headers.length, 'header')}</summary><dl>${headers.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></details><pre tabindex="0">${lines.map((line) => html`${others.has(line) ? line : html`<mark>${line}</mark>`}\n`)}</pre></section>`
      })}</div>`,
  )}`
}

const pretty = (body: string): string => {
  const value = jsonIn(body)
  return value === undefined ? body : JSON.stringify(value, null, 2)
}
