import { describe, expect, test, vi } from 'vitest'
import { hasFirefox, inFirefox, openFirefox } from '../firefox.ts'
import { formAt, shot } from './previewing.ts'
import { site, startSite } from './site.ts'

describe.runIf(hasFirefox)(inFirefox, () => {
  test('a form is filled by keyboard, survives a reload, and saves', {
    timeout: 120_000,
  }, async () => {
    const { url, text } = await startSite()
    const run = await openFirefox()
    const script = (script: string) => run('ExecuteScript', { script, args: [] })
    const type = async (value: string, keys: string) => {
      const found = (await run('FindElement', { using: 'css selector', value })) as object
      await run('ElementSendKeys', { id: Object.values(found)[0], text: keys })
    }
    const one = shot('ana', 'one')
    await run('Navigate', { url: `${url}/#edit=right` })
    await run('Navigate', { url: url + formAt(one) })
    await type('#f-title', ' light')
    await type('#f-tags', ', tea time,')
    await run('Refresh')
    expect(await script('return document.querySelector("#f-title").value')).toBe('First light')
    await type('#f-title', '\ue009s')
    await vi.waitFor(
      async () => expect(await script('return location.pathname')).toBe('/members/ana/11/'),
      30_000,
    )
    expect(text(one)).toBe(
      `${site[one]}`.replace('First', 'First light').replace('[red]', '[red, tea-time]'),
    )
  })
})
