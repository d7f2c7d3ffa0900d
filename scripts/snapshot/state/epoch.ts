import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Site } from '../../content/site.ts'
import { copy } from './copy.ts'

/**
 * Fingerprint of all that a member's files depend on besides its own content: the site, this program, its schemas
 * and the versions of its libraries. 64 hex digits.
 */
export const epochOf = (site: Site): string => {
  const sum = createHash('sha256')
  sum.update(JSON.stringify(site))
  if (site.precompress.length > 0) sum.update(`${process.versions.zlib} ${process.versions.brotli}`)
  sum.update(`yaml ${require('yaml/package.json').version} `)
  sum.update(copy?.program ?? hashSources())
  return sum.digest('hex')
}

const require = createRequire(import.meta.url)

const hashSources = (): string => {
  const sum = createHash('sha256')
  for (const part of hashedParts) {
    for (const file of filesOf(path.join(root, part))) {
      const bytes = fs.readFileSync(file)
      sum.update(`${bytes.length} `).update(bytes)
    }
  }
  return sum.digest('hex')
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** What the bytes of a member's files come from, and what is told of it. */
export const hashedParts: readonly string[] = [
  ...['content', 'api', 'snapshot', 'files', 'text', 'problems'].map((room) => `scripts/${room}`),
  'schemas',
]

const filesOf = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|cjs|json)$/.test(name))
    .sort()
    .map((name) => path.join(folder, name))
