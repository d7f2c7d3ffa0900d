import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import glob from 'fast-glob'
import { apache, htaccess } from '../../scripts/hosts/apache.ts'
import { caddy } from '../../scripts/hosts/caddy.ts'
import { lighttpd } from '../../scripts/hosts/lighttpd.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { formats } from '../../scripts/problems/formats.ts'
import { hostOptions } from '../hosts/options.ts'
import { runIn } from '../processes.ts'

/** Files by path, as they are. */
export type Files = ReadonlyMap<string, Buffer>

/** What is compared: the folder of the expected files, and how the present ones are made. */
export const goldens = {
  dist: () => makeSnapshot(),
  'broken/told': () => tellBroken(),
  hosts: () => makeConfigs(),
} as const satisfies Record<string, () => Files>

/** Path of a folder of expected files. */
export const expectedFolder = (name: string) => path.join('test/golden', name)

export const readFiles = (root: string) =>
  new Map(
    glob
      .sync('**', { cwd: root, dot: true })
      .sort()
      .map((file) => [file, fs.readFileSync(path.join(root, file))]),
  )

/** The snapshot of the miniature site. */
const makeSnapshot = () => {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-golden-'))
  try {
    const out = path.join(scratch, 'dist')
    const { status, stderr } = runIn(
      '.',
      `build --content test/golden/content --out '${out}'`,
    )
    if (status !== 0) throw new Error(`the miniature site can't be built:\n${stderr}`)
    return readFiles(out)
  } finally {
    fs.rmSync(scratch, { recursive: true })
  }
}

/** What is told of the broken site, in every format: `pretty.txt`, … */
const tellBroken = () =>
  new Map(
    Object.keys(formats).map((format) => {
      const line = `check --content test/golden/broken/content --format ${format}`
      const { stdout, stderr } = runIn('.', line)
      return [`${format}.txt`, Buffer.from(stdout + stderr)]
    }),
  )

/** The configs of the servers, as people paste them. */
const makeConfigs = () => {
  const place = { name: 'api.example.com', listen: undefined }
  const options = hostOptions({
    ...place,
    basePath: '/v1',
    precompress: ['br', 'gzip'],
    trust: ['10.0.0.0/8', '2001:db8::1'],
  })
  const inFront = hostOptions({
    ...place,
    origin: 'https://bucket.s3.eu-central-1.amazonaws.com/path',
  })
  const [rules] = htaccess.files!({
    ...options,
    authority: 'api.example.com',
    siteRoutes: [],
    usernames: ['ana'],
  })
  const texts = {
    'nginx.conf': nginx.config!(options),
    Caddyfile: caddy.config!(options),
    'apache.conf': apache.config!(options),
    'lighttpd.conf': lighttpd.config!(options),
    htaccess: rules!.text,
    'nginx-origin.conf': nginx.config!(inFront),
    'Caddyfile-origin': caddy.config!(inFront),
  }
  return new Map(Object.entries(texts).map(([file, text]) => [file, Buffer.from(text)]))
}
