import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostOf, isHost, policy } from '../../scripts/explorer/parts/images.ts'
import { choicesIn, choose, cookiesOf } from '../../scripts/preview/pages/choices.ts'

describe('the host of an image', () => {
  test.each([
    ['https://cdn.example.com/a.png', 'cdn.example.com'],
    ['http://CDN.example.com:8080/a.png', 'cdn.example.com:8080'],
    ['https://[2001:db8::1]/a.png', '[2001:db8::1]'],
    ['https://bücher.example/a.png', 'xn--bcher-kva.example'],
    ['https://a;script-src.example/a.png', undefined],
    ["https://'unsafe-inline'.example/a.png", undefined],
    ['https://a,b.example/a.png', undefined],
    ['https://*.example/a.png', undefined],
    ['not an address', undefined],
  ])('%s: %s', (url, host) => {
    expect(hostOf(url)).toBe(host)
  })
})

test('the policy names what was allowed, and no host can add to it', () => {
  expect(policy({ scheme: 'https', allowed: new Set(['b.example', 'a.example:8080']) })).toContain(
    "img-src 'self' https://a.example:8080 https://b.example",
  )
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain()), (text) => {
      const host = hostOf(`https://${text}/`)
      if (host !== undefined) expect(host).toMatch(/^[a-z0-9_.:[\]-]+$/)
    }),
  )
})

describe('what a person chose', () => {
  const none = choicesIn('')
  const form = (fields: Record<string, string>) => new URLSearchParams(fields)

  test('comes back with the cookie', () => {
    const chosen = choose('/-/images', form({ host: 'a.example', value: 'allow' }), none)!
    const next = choose('/-/editor', form({ value: 'vscode' }), chosen)!
    const header = cookiesOf(next)
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
    expect(choicesIn(`other=1; ${header}`)).toEqual({ images: new Set(['a.example']), editor: 'vscode' })
    expect(choose('/-/images', form({ host: 'a.example', value: 'forget' }), next)!.images.size).toBe(0)
  })

  test.each(['', 'a b', 'a;b', "'self'", '*', 'a.example|b.example'])('can not be the host %j', (host) => {
    expect(isHost(host)).toBe(false)
    expect(choose('/-/images', form({ host, value: 'allow' }), none)).toBeUndefined()
  })

  test('is nothing in a cookie that somebody else wrote', () => {
    expect(choicesIn("shotpress-images=*|'unsafe-inline'|a.example; shotpress-editor=javascript:")).toEqual({
      images: new Set(['a.example']),
      editor: '',
    })
  })
})
