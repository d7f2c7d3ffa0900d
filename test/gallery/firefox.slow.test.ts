import { pathToFileURL } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { hasFirefox, inFirefox, openFirefox } from '../firefox.ts'
import { galleryOf, writePages } from './gallery.ts'

describe.runIf(hasFirefox)(inFirefox, () => {
  test('one comes from the first page to a work, from work to work, and to its member', async () => {
    const shots = ['First', 'Second'].map((title, at) => {
      return { title, date: `2024-01-0${9 - at} 00:00:00` }
    })
    const root = pathToFileURL(
      writePages(galleryOf([{ username: 'ana', name: 'Ana', shots }])),
    ).href
    const { open, script, click, type } = await openFirefox()
    const isAt = (address: string) =>
      vi.waitFor(async () => {
        const here = await script('return document.readyState + location.pathname')
        expect(here).toBe(`complete${new URL(`${root}${address}`).pathname}`)
      }, 30_000)

    await open(`${root}/index.html`)
    await click('.works a')
    await isAt('/members/ana/1001/index.html')
    expect(await script('return document.querySelector("h1").textContent')).toBe('First')
    expect(await script('return document.querySelector("time").textContent')).toBe(
      '9 January 2024',
    )
    expect(await script('return document.querySelectorAll("figure .dead").length')).toBe(1)
    await type('body', '\ue014')
    await isAt('/members/ana/1002/index.html')
    await type('body', '\ue012')
    await isAt('/members/ana/1001/index.html')
    await type('body', '\ue00c')
    await isAt('/members/ana/index.html')
    const wide =
      'return document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await script(wide)).toBe(0)
  })
})
