import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { causeNames } from '../../scripts/verify/causes.ts'
import { run } from '../../scripts/verify/run.ts'
import { createSender } from '../../scripts/verify/send.ts'
import { openSnapshot } from '../../scripts/verify/snapshot.ts'
import { parseTarget } from '../../scripts/verify/target.ts'
import { makeCertificate, temporaryFolder } from '../hosts/servers/engine.ts'
import { mutations } from './mutations.ts'
import { type Handler, type Running, referenceHandler, startReference } from './reference-host.ts'
import { members, removeSnapshot, writeSnapshot } from './snapshot.ts'

let host: Running
let folder: string
let certificates: string
beforeAll(async () => {
  certificates = await temporaryFolder()
  folder = await writeSnapshot()
  host = await startReference(await makeCertificate(certificates))
})
afterAll(async () => {
  await host.stop()
  await Promise.all([removeSnapshot(folder), removeSnapshot(certificates)])
})

const verify = async (handler: Handler, basePath = '') => {
  host.use(handler)
  const target = parseTarget([
    `http://localhost:${host.ports.http}${basePath}`,
    `https://localhost:${host.ports.https}${basePath}`,
  ])
  const sender = createSender({ target, insecure: true, timeoutMs: 10_000 })
  const snapshot = await openSnapshot(folder)
  try {
    return await run({ target, snapshot, size: 50, sender, concurrency: 4, onProgress: () => {} })
  } finally {
    sender.close()
  }
}

describe('a host that is right', () => {
  test.each([
    ['with compression', { compress: true }],
    ['without compression', { compress: false }],
  ])('passes %s', async (_, options) => {
    const report = await verify(referenceHandler(options))
    expect(report.problems).toEqual([])
    expect(report.members).toBe(members.length)
  })

  test('passes below a base path', async () => {
    expect((await verify(referenceHandler({ basePath: '/v1' }), '/v1/')).problems).toEqual([])
  })
})

describe('a host that is one thing wrong', () => {
  test.each(mutations.map((mutation) => [mutation.name, mutation] as const))(
    '%s',
    async (_, { change, causes }) => {
      const { problems } = await verify(change(referenceHandler()))
      expect(problems.map(({ cause }) => cause).sort()).toEqual([...causes].sort())
    },
  )
})

test('every cause that a running host can show has a mutation', () => {
  const shown = new Set(mutations.flatMap(({ causes }) => causes))
  expect(causeNames.filter((cause) => !shown.has(cause))).toEqual(['scheme-unreachable'])
})
