import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Encoding,
  filePath,
  routes,
  type Variant,
  variants,
} from '../../scripts/api/routes.ts'
import type { Host, HostOptions } from '../../scripts/hosts/host.ts'
import { freePorts } from '../ports.ts'
import { texts } from '../tables.ts'
import { causesOf, verifyPorts } from '../verify/verifying.ts'
import { askAna } from './ask.ts'
import {
  complaint,
  type Engine,
  makeCertificate,
  running,
  temporaryFolder,
} from './engine.ts'
import { hostOptions } from './options.ts'
import { differences, type Site } from './questions.ts'
import { body, writeSnapshot } from './snapshot.ts'

/** A folder with a snapshot and a certificate, and an engine over it. */
type Stage = {
  readonly folder: string
  readonly root: string
  readonly cert: string
  readonly key: string
  readonly both: string
}

const makeStage = async (precompress: readonly Encoding[], name: string) => {
  const folder = await temporaryFolder()
  const root = `${folder}/${name}`
  await mkdir(root)
  await writeSnapshot(root, precompress)
  return { folder, root, ...(await makeCertificate(folder)) }
}

/** A stage for the tests of a file, or of what describes them. */
export const staged = (precompress: readonly Encoding[] = [], name = 'snapshot') => {
  let stage: Stage
  beforeAll(async () => {
    stage = await makeStage(precompress, name)
  })
  afterAll(() => rm(stage.folder, { recursive: true, force: true }))
  return () => stage
}

/** Starts an engine with the host's own config, does something with the site, and stops it. */
export const serving = async <T>(
  host: Host,
  engine: Engine,
  options: Partial<HostOptions> & Pick<HostOptions, 'root' | 'cert' | 'key'>,
  act: (site: Site) => Promise<T>,
) => {
  const [http, https] = await freePorts()
  const whole = hostOptions({ ...options, http, https })
  const site = {
    ports: { http, https },
    basePath: whole.basePath,
    precompress: whole.precompress,
  }
  const place = {
    ports: [http, https],
    root: whole.root,
    address: whole.listen ?? '127.0.0.1',
  }
  return running(engine, host.config!(whole), place, () => act(site))
}

/** What differs from the contract, and what `shotpress verify` says of it. */
export const judging =
  ({ root }: Pick<Stage, 'root'>) =>
  async (site: Site) => {
    const report = await verifyPorts(site.ports, {
      folder: root,
      basePath: site.basePath ?? '',
    })
    return [...(await differences(site)), ...causesOf(report)]
  }

/** The tests that every proved server passes. */
export const holdsTheContract = (host: Host, engine: Engine) => {
  const stage = staged()
  const compressed = staged(
    ['br', 'gzip'],
    `it's "a" $HOME {x} \${y} {$HOME} %{HTTPS} [b] #c; ü`,
  )

  test('answers as the contract says', async () => {
    expect(await serving(host, engine, stage(), judging(stage()))).toEqual([])
    expect([host.no, host.part]).toEqual([undefined, undefined])
  })

  test('serves precompressed files, from a folder with an awkward name, below a base path', async () => {
    const options = {
      ...compressed(),
      basePath: '/v1/a+b',
      precompress: ['br', 'gzip'] as const,
      trust: ['192.0.2.1', '2001:db8::/32'],
    }
    expect(await serving(host, engine, options, judging(compressed()))).toEqual([])
  })

  noticesChanges(host, engine)
  isAccepted(host, engine, stage)
}

/**
 * The build never gives changed content an mtime that the file had before; that has to be
 * enough.
 */
export const noticesChanges = (host: Host, engine: Engine) => {
  const stage = staged()

  test('never answers 304 for an old ETag when only the content and the mtime have changed', async () => {
    const file = `${stage().root}/${filePath(routes[0]!, 'http', 'ana')}`
    await serving(host, engine, stage(), async ({ ports }) => {
      const { headers, body } = await askAna(ports, 'http')
      const { mtimeMs } = await stat(file)
      const changed = body.toString().replace('pens', 'inks')
      await writeFile(file, changed)
      await utimes(file, mtimeMs / 1000 + 1, mtimeMs / 1000 + 1)
      const again = await askAna(ports, 'http', {
        headers: [['If-None-Match', headers.etag!]],
      })
      expect([again.status, again.body.toString()]).toEqual([200, changed])
      expect(again.headers.etag).not.toBe(headers.etag)
    })
  })
}

/**
 * X-Forwarded-Proto counts from listed peers only. `several`: what one gets who sends https
 * and http, a line each.
 */
export const believesListedPeers = (host: Host, engine: Engine, several?: Variant) => {
  /**
   * Values of the header, the lines of one request each: only a plain name of a scheme says
   * something.
   */
  const claims = [
    ...texts('https¦http¦HTTPS¦https, https¦https;¦xhttps¦httpsx¦¦1:https').map((value) => [
      value,
    ]),
    ['https', 'http'],
  ]

  const stage = staged()

  test('believes one plain X-Forwarded-Proto of a listed peer, and of no other', async () => {
    const got = async (trust: readonly string[], listed: boolean) =>
      serving(host, engine, { ...stage(), trust }, async ({ ports }) => {
        const wrong: string[] = []
        for (const scheme of variants) {
          for (const values of claims) {
            const headers = values.map((value) => ['X-Forwarded-Proto', value] as const)
            const { body } = await askAna(ports, scheme, { headers })
            const said =
              values.length > 1 ? several : variants.find((variant) => variant === values[0])
            const expected = listed && said ? said : scheme
            const found = variants.find((variant) => body.includes(`"${variant}://`))
            if (found !== expected)
              wrong.push(`${scheme} with ${values.join(' and ')}: ${found}, not ${expected}`)
          }
        }
        return wrong
      })
    expect(await got(['192.0.2.0/24', '127.0.0.0/30', '::1'], true)).toEqual([])
    expect(await got(['192.0.2.0/24', '127.0.0.2', '::1'], false)).toEqual([])
  })
}

/**
 * Where the site has https alone, http is a redirect, but not behind a listed proxy that says
 * https.
 */
export const sendsToHttps = (host: Host, engine: Engine) => {
  const stage = staged()

  test('sends clients over http to https where the site has https alone', async () => {
    await rm(`${stage().root}/http`, { recursive: true })
    const given = { ...stage(), hasHttp: false, trust: ['127.0.0.1'] }
    await serving(host, engine, given, async ({ ports }) => {
      const path = '/api/username/ana/?a=%2f'
      const over = async (
        scheme: Variant,
        headers: readonly (readonly [string, string])[] = [],
      ) => {
        const { status, headers: got, body } = await askAna(ports, scheme, { path, headers })
        return status === 308 ? got.location : [status, `${body}`]
      }
      const found = [200, body('https', 'ana', 'user')]
      expect(await over('http')).toBe(`https://localhost:${ports.https}${path}`)
      expect(await over('https')).toEqual(found)
      expect(await over('http', [['X-Forwarded-Proto', 'https']])).toEqual(found)
    })
  })
}

/** The engine's checker takes the config in many shapes. */
export const isAccepted = (host: Host, engine: Engine, stage: () => Stage) => {
  test('is accepted by its own checker whatever the options', async () => {
    const { root, cert, key } = stage()
    const given: Partial<HostOptions>[] = [
      { listen: undefined },
      { listen: '::1', trust: texts('::1¦2001:db8::/32¦10.0.0.0/8¦192.0.2.1') },
      { name: '2001:db8::1' },
      { name: '192.0.2.1', precompress: ['gzip'], basePath: '/a.b' },
      { name: `${'long.'.repeat(9)}example.com`, trust: ['127.0.0.1'], precompress: ['br'] },
    ]
    const [http, https] = await freePorts()
    for (const options of given) {
      if (engine.bindsToCheck && 'listen' in options) continue
      expect(
        await complaint(
          engine,
          host.config!(hostOptions({ root, cert, key, http, https, ...options })),
          root,
        ),
      ).toBe('')
    }
  })
}
