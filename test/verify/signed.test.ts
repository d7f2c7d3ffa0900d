import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openKeys } from '../../scripts/files/signature.ts'
import { reportFormats } from '../../scripts/verify/report.ts'
import { canSign, makeSigner, needsSigner, type Signer } from '../files/sign.ts'
import { addresses, sendTo } from './in-process.ts'
import { referenceHandler } from './reference-host.ts'
import { bytesOf, writeSnapshot } from './snapshot.ts'
import { verifyWith } from './verifying.ts'

type Bytes = typeof bytesOf
const newer: Bytes = (...file) => bytesOf(...file).replace('"7"', '"8"')
const foreign: Bytes = (...file) => bytesOf(...file).replace('"7"', '"9"')

const signedSnapshot = (signer: Signer, bytes?: Bytes): string => {
  const folder = writeSnapshot(undefined, bytes)
  signer.sign(path.join(folder, 'SHA256SUMS'))
  return folder
}

/** What `verify --key` says of a host that serves these bytes. */
const verify = async (
  out: string,
  {
    serves,
    signer,
    earlier = [],
  }: { readonly serves: Bytes; readonly signer: Signer; readonly earlier?: string[] },
) => {
  const { sender } = sendTo(referenceHandler({ compress: false, bytes: serves }))
  const report = await verifyWith(sender, out, { signing: { keys: openKeys(signer.publicKey), earlier } })
  const text = reportFormats.pretty(report, { addresses, color: false, columns: 200 })
  return { causes: report.problems.map(({ cause }) => cause), text }
}

describe.skipIf(!canSign)(`verify --key${needsSigner}`, () => {
  test('what a key signed and the host serves is said to be signed', async () => {
    const signer = makeSigner()
    const { causes, text } = await verify(signedSnapshot(signer), { signer, serves: bytesOf })
    expect(causes).toEqual([])
    expect(text).toMatch(/^no problems: .*; all signed by the key SHA256:\S+\n$/)
  })

  test('older bytes, which the key signed, are told from those that nobody signed', async () => {
    const signer = makeSigner()
    const [out, earlier] = [signedSnapshot(signer, newer), [signedSnapshot(signer)]]
    expect((await verify(out, { signer, earlier, serves: newer })).causes).toEqual([])
    expect((await verify(out, { signer, earlier, serves: bytesOf })).causes).toEqual(['signed-earlier'])
    expect((await verify(out, { signer, earlier, serves: foreign })).causes).toEqual(['not-signed'])
    expect((await verify(out, { signer, serves: bytesOf })).causes).toEqual(['not-signed'])
  })

  test('an earlier list counts only if the key signed it', async () => {
    const [signer, other] = [makeSigner(), makeSigner()]
    const out = signedSnapshot(signer, newer)
    for (const earlier of [signedSnapshot(other), writeSnapshot()]) {
      expect((await verify(out, { signer, earlier: [earlier], serves: bytesOf })).causes).toEqual([
        'not-signed',
      ])
    }
  })

  // what else makes a signature count for nothing is in files/signature.test.ts
  test.each([
    ['no signature', (file: string) => fs.rmSync(`${file}.sig`), 'nobody signed'],
    ['one of another key', (file: string) => makeSigner().sign(file), 'does not count'],
  ])('a snapshot with %s is not signed, though the host serves it', async (_, spoil, words) => {
    const signer = makeSigner()
    const out = signedSnapshot(signer)
    spoil(path.join(out, 'SHA256SUMS'))
    const { causes, text } = await verify(out, { signer, serves: bytesOf })
    expect(causes).toEqual(['not-signed'])
    expect(text).toContain(words)
    expect(text).not.toContain('all signed')
    // no config is to blame
    expect(text).not.toContain('npx shotpress host')
  })

  test('the other variant is signed, and is not told as bytes that nobody signed', async () => {
    const signer = makeSigner()
    const swapped: Bytes = (route, variant, username) =>
      bytesOf(route, variant === 'http' ? 'https' : 'http', username)
    const { causes } = await verify(signedSnapshot(signer), { signer, serves: swapped })
    expect(causes).toContain('wrong-variant')
    expect(causes).not.toContain('not-signed')
  })
})
