import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Encoding } from '../../scripts/api/routes.ts'
import { apache, htaccess } from '../../scripts/hosts/apache.ts'
import { caddy } from '../../scripts/hosts/caddy.ts'
import type { Host } from '../../scripts/hosts/host.ts'
import { lighttpd } from '../../scripts/hosts/lighttpd.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { endStage, makeStage, type Stage } from '../hosts/contract.ts'
import { type Engine, installed, start, titleOf } from '../hosts/engine.ts'
import { apacheEngine, caddyEngine, htaccessEngine, lighttpdEngine, nginxEngine } from '../hosts/engines.ts'
import { hostOptions, snapshotFacts } from '../hosts/options.ts'
import { freePorts } from '../ports.ts'
import { type EngineMutation, nginxMutations } from './engine-mutations.ts'
import { causesOf, verifyPorts } from './verifying.ts'

const engines: readonly (readonly [Host, Engine])[] = [
  [nginx, nginxEngine],
  [caddy, caddyEngine],
  [apache, apacheEngine],
  [lighttpd, lighttpdEngine],
]

let plain: Stage
let compressed: Stage
beforeAll(async () => {
  plain = await makeStage()
  compressed = await makeStage({ precompress: ['br', 'gzip'] })
})
afterAll(() => Promise.all([endStage(plain), endStage(compressed)]))

type Setting = Pick<EngineMutation, 'precompress' | 'trust' | 'listens'>

/** What the verifier names on the engine with its own config, changed or not. */
const causesOn = async (
  [host, engine]: readonly [Host, Engine],
  { precompress = [], trust = [], listens = ['http', 'https'] }: Setting,
  change: (config: string) => string = (config) => config,
) => {
  const stage = precompress.length > 0 ? compressed : plain
  const [http, https] = (await freePorts(2)) as [number, number]
  const ports = { http, https }
  const config = host.config!(hostOptions({ ...stage, ...ports, precompress, trust }))
  const changed = change(config)
  const running = await start(engine, changed, {
    ports: listens.map((scheme) => ports[scheme]),
    root: stage.root,
  })
  try {
    return causesOf(await verifyPorts(ports, { folder: stage.root }))
  } finally {
    await running.stop()
  }
}

const replace =
  ({ from, to }: EngineMutation) =>
  (config: string): string => {
    const changed = typeof from === 'string' ? config.replaceAll(from, () => to) : config.replace(from, to)
    expect(changed, 'the config no longer holds what the mutation changes').not.toBe(config)
    return changed
  }

describe.each(engines.map((engine) => [titleOf(engine[1]), engine] as const))('%s', (_, engine) => {
  test.skipIf(!installed(engine[1]))('passes with its own config', async () => {
    expect(await causesOn(engine, {})).toEqual([])
  })

  test.skipIf(!installed(engine[1]))('passes with precompressed files and a trusted proxy', async () => {
    const precompress: readonly Encoding[] = ['br', 'gzip']
    expect(await causesOn(engine, { precompress, trust: ['192.0.2.1'] })).toEqual([])
  })
})

// other engines would show the same causes, all of which are in mutations.test.ts
describe.skipIf(!installed(nginxEngine))(titleOf(nginxEngine), () => {
  test.each(nginxMutations.map((mutation) => [mutation.name, mutation] as const))(
    'that %s',
    async (_, mutation) => {
      const causes = await causesOn([nginx, nginxEngine], mutation, replace(mutation))
      expect(causes).toEqual([...mutation.causes].sort())
    },
  )
})

test.skipIf(!installed(apacheEngine))(
  "a shared Apache with .htaccess passes, but for TRACE, which is its owner's",
  async () => {
    const [http, https] = (await freePorts(2)) as [number, number]
    const options = hostOptions({ ...plain, http, https })
    const [file] = htaccess.files!(snapshotFacts(options))
    const running = await start(htaccessEngine(options), file!.text, {
      ports: [http, https],
      root: plain.root,
    })
    try {
      expect(causesOf(await verifyPorts({ http, https }, { folder: plain.root }))).toEqual(['trace-answered'])
    } finally {
      await running.stop()
      await rm(join(plain.root, file!.path))
    }
  },
)
