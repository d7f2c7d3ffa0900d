import { expect, test } from 'vitest'
import { createLoader } from '../../scripts/advice/loader.ts'
import { rowsOf } from '../tables.ts'

const { loadProfile: profileOf, loadShot: shotOf, loadSite: siteOf } = createLoader()

const long = (text: string) => text.repeat(((1 << 20) - 200) / text.length)

const profile = 'id: 1⏎name: Ana⏎'
const shot = 'id: 1⏎title: Tea⏎image: a.png⏎'
const dated = `${shot}date: 2014-03-02⏎`
const lists = `- ["${'a '.repeat(240)}"]⏎`.repeat(2000)

/** A stranger's file of 1 MiB, which took minutes or hours to find a hint for. */
test.each(
  rowsOf(`
    a value that is nearly none → shot → ∅ → ${dated}large_image: ${long('-')}x⏎
    brackets → profile → unlikely-value → ${profile}website: "https://a.example/${long('[')},"⏎
    commas → profile → unlikely-value → ${profile}website: 'https://a.example/${long(',')}x"'⏎
    a key of underscores → shot → unknown-key → ${dated}? "x${long('_')}x"⏎: x⏎
    nothing after --- → shot → multiple-documents → ${dated}---⏎${long('⏎')}x: 1⏎
    carriage returns after --- → shot → multiple-documents → ${dated}---⏎${long('\r')}x: 1⏎
    a quote that is not closed → shot → yaml-syntax → ${dated}alt: "${long(' ')}[⏎
    a date with much after it → shot → bad-timestamp → ${shot}date: "2024${long(' ')}x"⏎
    an address after # → profile → cut-by-comment → ${profile}website: #x${long(',')}x⏎
    a text after # → shot → cut-by-comment → ${dated}description: #${long('é')}⏎
    a key in brackets → shot → bad-key → ${dated}? [${long('é')}]⏎: x⏎
    lists in a list → shot → wrong-type → ${dated}tags:⏎${lists}
    slashes → site → ∅ → base_url: https://a.b⏎gallery: { edit: https://a.b/c/d${long('/')}x }
    words with much between them → shot → wrong-type → ${dated}tags: x${long('\t')}y⏎
    a list that is nearly nothing → shot → wrong-type → ${dated}tags: "${long('-')}x"⏎
  `),
)('%s', (_, kind, code, text) => {
  const loaders = { shot: shotOf, profile: profileOf, site: siteOf }
  const load = loaders[kind as keyof typeof loaders]
  const { diagnostics } = load({ file: 'x.yaml', text }, undefined)
  const codes = new Set(diagnostics.slice(0, 500).map(({ code }) => code))
  expect([...codes].join(' ')).toBe(code)
  // to break a hint into lines takes minutes, too
  for (const { hint } of diagnostics) expect(hint!.length).toBeLessThan(1000)
})
