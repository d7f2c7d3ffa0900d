import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../sandbox.ts'
import type { Handler } from '../verify/reference-host.ts'
import { contentOf, importFrom } from './importing.ts'
import { type Legacy, legacyHandler, legacyMember, shotsOf } from './legacy.ts'

const site = (bio: string): Legacy => ({
  ana: legacyMember('ana', 1, { user: { bio }, shots: shotsOf(1, [1]) }),
})

/** What the remote says, with tags that hold for whatever it says, as those of some servers do. */
const tagged =
  (bio: string): Handler =>
  (asked) => {
    if (asked.headers['if-none-match'] !== undefined) {
      return { status: 304, headers: { ETag: '"1"' }, body: Buffer.alloc(0) }
    }
    const { ETag: _, ...headers } = legacyHandler(site(bio))(asked).headers
    return { ...legacyHandler(site(bio))(asked), headers: { ...headers, ETag: '"1"' } }
  }

/** State whose bodies nobody's server sent, with the tags that the real one has. */
const plant = async (folder: string): Promise<void> => {
  const elsewhere = sandbox()
  let left = 3
  const stopped: Handler = (asked) => {
    if (left-- === 0) throw new Error('killed')
    return tagged('forged')(asked)
  }
  await importFrom(tagged('forged'), elsewhere, { names: ['ana'] })
  // an interrupted run leaves the mark that a member is done
  await importFrom(stopped, elsewhere, { names: ['ana', 'bo'] }).catch(() => {})
  fs.rmSync(path.join(folder, 'state'), { recursive: true, force: true })
  fs.cpSync(path.join(elsewhere, 'state'), path.join(folder, 'state'), { recursive: true })
}

test.each([
  ['a member that is new here', false],
  ['a member that was imported', true],
])('bodies that somebody planted in the state say nothing of %s', async (_, isThere) => {
  const folder = sandbox()
  if (isThere) await importFrom(tagged('real'), folder, { names: ['ana'] })
  await plant(folder)
  await importFrom(tagged('real'), folder, { names: ['ana'] })
  expect(contentOf(folder)['members/ana/profile.yaml']).toContain('bio: real\n')
})

test('nor do they without the network, and they prove nothing', async () => {
  const folder = sandbox()
  await importFrom(tagged('real'), folder, { names: ['ana'] })
  const before = contentOf(folder)
  await plant(folder)
  const { codes } = await importFrom(tagged('real'), folder, { offline: true })
  expect([codes.includes('no-answer'), contentOf(folder)]).toEqual([true, before])
  const proof = await importFrom(tagged('real'), folder, { offline: true, prove: true })
  expect(proof.codes).toContain('no-answer')
})
