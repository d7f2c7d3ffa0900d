import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lighttpd } from '../../../scripts/hosts/servers/lighttpd.ts'
import { ask } from './ask.ts'
import {
  believesListedPeers,
  endStage,
  isAccepted,
  makeStage,
  noticesChanges,
  type Stage,
  serving,
} from './contract.ts'
import { installed, titleOf } from './engine.ts'
import { lighttpdEngine } from './lighttpd.ts'
import { differences } from './questions.ts'

describe.skipIf(!installed(lighttpdEngine))(titleOf(lighttpdEngine), () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await makeStage({ name: `it's "a" $HOME {x} %1 [b] #c; ü` })
  })
  afterAll(() => endStage(stage))

  test('answers as the contract says, but for the methods that it refuses by itself', async () => {
    const all = await serving(lighttpd, lighttpdEngine, { ...stage, basePath: '/v1/a+b' }, differences)
    expect(all.map((line) => line.replace(/\/v1.*:/, ':'))).toEqual([
      'https FOO : status 501, not 405',
      'https GETT : status 501, not 405',
      'https POST that claims to be GET: status 411, not 405',
      'http FOO : status 501, not 405',
      'http GETT : status 501, not 405',
      'http POST that claims to be GET: status 411, not 405',
    ])
  })

  test('refuses the paths that it keeps for its own errors', async () => {
    await serving(lighttpd, lighttpdEngine, stage, async ({ ports }) => {
      for (const path of ['/error%20404', '/error%20405', '/error', '/-']) {
        const { status } = await ask({ port: ports.http, scheme: 'http', path })
        expect(`${path}: ${status}`).toMatch(/: 40[04]$/)
      }
    })
  })

  noticesChanges(lighttpd, lighttpdEngine)
  believesListedPeers(lighttpd, lighttpdEngine)
  isAccepted(lighttpd, lighttpdEngine, () => stage)
})
