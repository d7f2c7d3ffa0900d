import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Encoding } from '../../../scripts/api/routes.ts'
import type { Host, HostOptions } from '../../../scripts/hosts/host.ts'
import { complaint, type Engine, freePorts, makeCertificate, start, temporaryFolder } from './engine.ts'
import { hostOptions } from './options.ts'
import { differences, type Site } from './questions.ts'
import { writeSnapshot } from './snapshot.ts'

/** A folder with a snapshot and a certificate, and an engine over it. */
export type Stage = {
  readonly folder: string
  readonly root: string
  readonly cert: string
  readonly key: string
  readonly both: string
}

export const makeStage = async ({
  precompress = [],
  name = 'snapshot',
}: {
  readonly precompress?: readonly Encoding[]
  readonly name?: string
} = {}): Promise<Stage> => {
  const folder = await temporaryFolder()
  const root = join(folder, name)
  await mkdir(root)
  await writeSnapshot(root, precompress)
  return { folder, root, ...(await makeCertificate(folder)) }
}

export const endStage = ({ folder }: Stage): Promise<void> => rm(folder, { recursive: true, force: true })

/** Starts an engine with the host's own config, does something with the site, and stops it. */
export const serving = async <T>(
  host: Host,
  engine: Engine,
  options: Partial<HostOptions> & Pick<HostOptions, 'root' | 'cert' | 'key'>,
  act: (site: Site) => Promise<T>,
): Promise<T> => {
  const [http, https] = (await freePorts(2)) as [number, number]
  const whole = hostOptions({ ...options, http, https })
  const running = await start(engine, host.config!(whole), { ports: [http, https], root: whole.root })
  try {
    return await act({ ports: { http, https }, basePath: whole.basePath, precompress: whole.precompress })
  } finally {
    await running.stop()
  }
}

/** The tests that every proved server passes. */
export const holdsTheContract = (host: Host, engine: Engine): void => {
  let stage: Stage
  let compressed: Stage
  beforeAll(async () => {
    stage = await makeStage()
    compressed = await makeStage({
      precompress: ['br', 'gzip'],
      name: `it's "a" $HOME {x} \${y} {$HOME} %{HTTPS} [b] #c; ü`,
    })
  })
  afterAll(() => Promise.all([endStage(stage), endStage(compressed)]))

  test('answers as the contract says', async () => {
    expect(await serving(host, engine, stage, differences)).toEqual([])
  })

  test('serves precompressed files, from a folder with an awkward name, below a base path', async () => {
    const options = { ...compressed, basePath: '/v1/a+b', precompress: ['br', 'gzip'] as const }
    expect(await serving(host, engine, options, differences)).toEqual([])
  })

  isAccepted(host, engine, () => stage)
}

/** The engine's checker takes the config in many shapes. */
export const isAccepted = (host: Host, engine: Engine, stage: () => Stage): void => {
  test('is accepted by its own checker whatever the options', async () => {
    const { root, cert, key } = stage()
    const given: Partial<HostOptions>[] = [
      { listen: undefined, http: 80, https: 443 },
      { listen: '::1', http: 8080, https: 8443, trust: ['::1', '2001:db8::/32', '10.0.0.0/8', '192.0.2.1'] },
      { name: '192.0.2.1', precompress: ['gzip'], basePath: '/a.b' },
      { name: `${'long.'.repeat(9)}example.com`, trust: ['127.0.0.1'], precompress: ['br'] },
    ]
    for (const options of given) {
      expect(await complaint(engine, host.config!(hostOptions({ root, cert, key, ...options })), root)).toBe(
        '',
      )
    }
  })
}
