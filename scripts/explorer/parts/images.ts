import type { Variant } from '../../api/routes.ts'
import { type Html, html } from '../../text/html.ts'
import type { View } from '../data/data.ts'

/** The host of an image's address, with its port if it has one; `undefined` if it can't be named in a policy. */
export const hostOf = (url: string): string | undefined => {
  const host = URL.parse?.(url)?.host ?? parseHost(url)
  return host !== undefined && isHost(host) ? host : undefined
}

/** For Node before 22. */
const parseHost = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

/** Whether a text can be allowed: nothing in it could end the name of a host in a policy or a cookie. */
export const isHost = (host: string): boolean =>
  /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:]+\])(?::[0-9]{1,5})?$/.test(host)

/** Hosts of images, each once, sorted; those that can't be allowed are left out. */
export const hostsOf = (urls: readonly string[]): readonly string[] =>
  [...new Set(urls.flatMap((url) => hostOf(url) ?? []))].sort()

/** The policy of a page: nothing but what is ours, and images of the hosts that the person allowed. */
export const policy = ({
  scheme,
  allowed,
}: {
  readonly scheme: Variant
  readonly allowed: View['allowed']
}): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    ["img-src 'self'", ...[...allowed].sort().map((host) => `${scheme}://${host}`)].join(' '),
  ].join('; ')

export type Kind = 'work' | 'large' | 'avatar' | 'cover'

/**
 * An image, once its host is allowed; until then, and where there is none, a drawing of the same proportions, which
 * the seed decides. Neither says anything: the text beside it does.
 */
export const picture = (
  url: string,
  { view, kind, seed }: { readonly view: View; readonly kind: Kind; readonly seed: string },
): Html => {
  const number = numberOf(seed)
  const host = url === '' ? undefined : hostOf(url)
  const shown = host !== undefined && view.allowed.has(host)
  const content = shown
    ? html`<img src="${url}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
    : kind === 'avatar'
      ? initialOf(seed)
      : kind === 'cover' && url === ''
        ? undefined
        : drawing(number, kind)
  return html`<span class="picture ${kind}${url === '' && ' none'} tone-${number % tones}" aria-hidden="true">${content}</span>`
}

/** Colours that drawings have; the stylesheet has a class for each. */
const tones = 8

/** Hills below a sun or moon; of a cover only the hills fit. */
const drawing = (number: number, kind: Kind): Html => {
  const [x, y] = [80 + ((number >>> 3) % 7) * 40, 70 + ((number >>> 6) % 4) * 14]
  const [left, right] = [150 + ((number >>> 8) % 5) * 14, 165 + ((number >>> 11) % 5) * 14]
  return html`<svg viewBox="${kind === 'cover' ? '0 160 400 90' : '0 0 400 300'}" preserveAspectRatio="xMidYMid slice" focusable="false"><circle cx="${x}" cy="${y}" r="26"/><path d="M0 ${left + 50} C 90 ${left - 30}, 150 ${left - 20}, 230 ${left + 70} S 360 ${right + 60}, 400 ${right + 40} V300 H0Z"/><path d="M0 ${right + 90} C 110 ${right + 50}, 200 ${right + 110}, 270 ${right + 60} S 370 ${right + 10}, 400 ${right + 30} V300 H0Z"/></svg>`
}

/** The first letter of a name, with its marks. */
const initialOf = (name: string): string => /\S\p{M}*/u.exec(name)?.[0].toUpperCase() ?? ''

/** The same for the same text (FNV-1a). */
const numberOf = (text: string): number => {
  let number = 0x811c9dc5
  for (let at = 0; at < text.length; at++) number = Math.imul(number ^ text.charCodeAt(at), 0x01000193)
  return number >>> 0
}
