import { describe, expect, test, vi } from 'vitest'
import { hasFirefox, inFirefox, openFirefox } from '../firefox.ts'
import { formAt } from './previewing.ts'
import { one, site, startSite } from './site.ts'

describe.runIf(hasFirefox)(inFirefox, () => {
  test('a form is filled by keyboard, survives a reload, and saves', {
    timeout: 120_000,
  }, async () => {
    const { url, text } = await startSite()
    const { open, reload, script, type } = await openFirefox()
    await open(`${url}/#edit=right`)
    await open(url + formAt(one))
    await type('#f-title', ' light')
    await type('#f-tags', ', tea time,')
    await reload()
    expect(await script('return document.querySelector("#f-title").value')).toBe(
      'First light',
    )
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
