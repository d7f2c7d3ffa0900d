import { hash } from 'node:crypto'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import * as api from '../../scripts/api/routes.ts'
import { openKeys } from '../../scripts/files/signature.ts'
import { parseAge } from '../../scripts/verify/publication.ts'
import { reportFormats } from '../../scripts/verify/report.ts'
import { canSign, makeSigner, needsSigner } from '../files/sign.ts'
import { writeTree } from '../sandbox.ts'
import { rowsOf, texts } from '../tables.ts'
import { addresses, sendTo } from './in-process.ts'
import { errorReply, fileReply, type Handler, referenceHandler } from './reference-host.ts'
import { bytesOf, writeSnapshot } from './snapshot.ts'
import { verifyWith } from './verifying.ts'

const hour = 3_600_000
const now = Date.UTC(2026, 2, 2, 18, 30)

const sumsOf = (folder: string) => hash('sha256', fs.readFileSync(`${folder}/SHA256SUMS`))

const published = (time: string, sums: string) =>
  `${JSON.stringify({ published: time, commit: 'abc', sums, all: '' })}\n`

type Host = {
  /** What the host serves at /published.json and at /published.json.sig. */
  readonly text?: string | undefined
  readonly signature?: Buffer | string | undefined
  readonly bytes?: typeof bytesOf
}

/** A host that tells when it was published, or doesn't; without precompressed files. */
const host = ({ text, signature, bytes = bytesOf }: Host): Handler => {
  const rest = referenceHandler({ compress: false, bytes })
  const own = { [api.publishedRoute.path]: text, [api.signatureRoute.path]: signature }
  return (asked) => {
    const target = asked.target.replace(/\/?(?:\?.*)?$/, '')
    if (!Object.hasOwn(own, target) || !['GET', 'HEAD'].includes(asked.method))
      return rest(asked)
    const found = own[target]
    return found === undefined
      ? errorReply(api.errors.notFound)
      : fileReply(String(found), asked, false)
  }
}

/** A snapshot that doesn't tell when it is published. */
const snapshot = () =>
  writeSnapshot(undefined, { has: (file) => !file.startsWith('published') })

/** What verify says of a host. */
const verify = async (out: string, serves: Host, { key }: { readonly key?: string } = {}) => {
  const { sender } = sendTo(host(serves))
  const freshness = { maxAge: 26 * hour, keys: key === undefined ? [] : openKeys(key) }
  const report = await verifyWith(sender, out, { freshness, now })
  const text = reportFormats.pretty(report, { addresses, color: false, columns: 200 })
  return { causes: report.problems.map(({ cause }) => cause), text }
}

test.each(
  rowsOf(`
    in time → ∅ → 2026-03-02 10:00:00 → ; published at 2026-03-02 10:00:00 UTC from commit abc⏎
    four days ago → not-fresh → 2026-02-26 18:00:00 → published at 2026-02-26 18:00:00 UTC from commit abc, 4 days ago
    tomorrow → not-fresh → 2026-03-03 18:30:00 → a time to come
  `),
)('a host that was published %s is said to be: %j', async (_, cause, time, words) => {
  const out = snapshot()
  const { causes, text } = await verify(out, { text: published(time, sumsOf(out)) })
  expect(causes.join()).toBe(cause)
  expect(text).toContain(words)
})

test.each([
  ['nothing', undefined, 'got      404'],
  ['null', 'null', 'something else than published.json'],
  ['a date that is none', published('2026-02-30 10:00:00', ''), 'something else'],
])(
  'a host that has %s for published.json says not when it was published',
  async (_, text, words) => {
    const told = await verify(snapshot(), { text })
    expect(told.causes).toEqual(['not-published'])
    expect(told.text).toContain(words)
  },
)

test('a host that serves half of an old snapshot is told with the files that differ', async () => {
  const out = snapshot()
  const bytes: typeof bytesOf = (...file) =>
    file[2] < 'b' ? bytesOf(...file).replace('"7"', '"6"') : bytesOf(...file)
  const { causes, text } = await verify(out, {
    bytes,
    text: published('2026-03-02 10:00:00', sumsOf(out)),
  })
  expect(causes).toEqual(['not-the-snapshot'])
  expect(text).toContain('/api/username/ana')
})

test('a host with another snapshot says which, and an earlier one is known by that in --out', async () => {
  const out = snapshot()
  const other = { text: published('2026-03-02 10:00:00', '0'.repeat(64)) }
  expect(await verify(out, other)).toMatchObject({
    causes: ['published-otherwise'],
    text: expect.stringContaining(
      'another one, published at 2026-03-02 10:00:00 UTC from commit abc',
    ),
  })
  writeTree(out, { 'published.json': published('2026-03-02 11:00:00', sumsOf(out)) })
  const { causes } = await verify(out, other)
  expect(causes).toEqual(['published-earlier', 'not-the-snapshot'])
})

test.skipIf(!canSign)(`what a key signed is told with the key${needsSigner}`, async () => {
  const out = snapshot()
  const signer = makeSigner()
  const text = published('2026-03-02 10:00:00', sumsOf(out))
  const key = signer.publicKey
  const { causes, text: said } = await verify(
    out,
    { text, signature: signer.signText(text) },
    { key },
  )
  expect(causes).toEqual([])
  expect(said).toMatch(/; published at .*, signed by the key SHA256:\S+\n/)
})

test.skipIf(!canSign)(`a forged published.json is not signed${needsSigner}`, async () => {
  const out = snapshot()
  const signer = makeSigner()
  const old = published('2026-02-01 10:00:00', sumsOf(out))
  const forged = published('2026-03-02 18:00:00', sumsOf(out))
  const signatures: readonly (readonly [Buffer | string | undefined, string])[] = [
    [undefined, '/published.json.sig answers 404'],
    [signer.signText(old), 'incorrect signature'],
    [makeSigner().signText(forged), 'another key made it'],
    ['\u001b[31m-----BEGIN', 'missing header'],
  ]
  for (const [signature, words] of signatures) {
    const { causes, text } = await verify(
      out,
      { text: forged, signature },
      { key: signer.publicKey },
    )
    expect(causes, words).toEqual(['not-signed'])
    expect(text).toContain(words)
  }
})

test('an age is minutes, hours or days', () => {
  expect(['90m', '26h', '2d'].map(parseAge)).toEqual([1.5 * hour, 26 * hour, 48 * hour])
  for (const text of texts('26¦0h¦1.5h¦-1h¦h¦1w'))
    expect(() => parseAge(text)).toThrow('--max-age takes')
})
