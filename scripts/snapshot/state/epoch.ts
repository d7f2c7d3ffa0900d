import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Site } from '../../content/site.ts'

/**
 * Fingerprint of all that a member's files depend on besides its own content: the site, this program, its schemas
 * and the versions of its libraries. 64 hex digits.
 */
export const epochOf = (site: Site): string => {
  const sum = createHash('sha256')
  sum.update(JSON.stringify(site))
  if (site.precompress.length > 0) sum.update(`${process.versions.zlib} ${process.versions.brotli}`)
  for (const part of parts) {
    const url = new URL(`../../../${part}`, import.meta.url)
    for (const file of filesOf(fileURLToPath(url))) {
      const bytes = fs.readFileSync(file)
      sum.update(`${bytes.length} `).update(bytes)
    }
  }
  return sum.digest('hex')
}

/** What the bytes of a member's files come from. */
const parts = [
  'scripts/content/',
  'scripts/api/',
  'scripts/snapshot/',
  'scripts/text/',
  'scripts/diagnostics/',
  'schemas/',
  'package-lock.json',
]

/** A file itself, or every file of a folder; none if there is no such thing. */
const filesOf = (path: string): string[] => {
  if (!path.endsWith('/')) return fs.existsSync(path) ? [path] : []
  const entries = fs.readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
  return entries.filter((name) => /\.(?:ts|cjs|json)$/.test(name)).map((name) => path + name)
}
