import { chmod, mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import {
  type Encoding,
  filePath,
  routes,
  type Variant,
  variants,
} from '../../scripts/api/routes.ts'
import { sumsOf } from '../deploy/snapshots.ts'
import { snapshotOf } from './managed.ts'

/** Usernames of the fixture: plain, with every punctuation mark, and of the greatest length. */
export const usernames = ['ana', 'a.b-c_d', `L${'o'.repeat(62)}g`] as const

/** The body of a fixture's file. */
export const body = (variant: Variant, username: string, route: string) => {
  const avatar = `${variant}://img.example.com/${username}.png`
  return `${JSON.stringify({ username, route, avatar, bio: 'pens '.repeat(99) })}\n`
}

/**
 * Writes a small snapshot by hand, as the build lays it out: no two files have the same mtime
 * second.
 */
export const writeSnapshot = async (root: string, precompress: readonly Encoding[] = []) => {
  let mtime = 1_400_000_000
  const files: Record<string, string | Buffer> = {}
  const write = async (path: string, content: string | Buffer) => {
    const file = `${root}/${path}`
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    await utimes(file, mtime, mtime++)
    files[path] = content
  }
  for (const username of usernames)
    for (const variant of variants)
      for (const route of routes) {
        const path = filePath(route, variant, username)
        const text = body(variant, username, route.name)
        await write(path, text)
        // as the build does: no sibling where it would not be smaller; here, the shots of the
        // second member
        if (username === usernames[1] && route.name === 'shots') continue
        if (precompress.includes('br')) await write(`${path}.br`, brotliCompressSync(text))
        if (precompress.includes('gzip')) await write(`${path}.gz`, gzipSync(text))
      }
  for (const [path, text] of new Map(snapshotOf([], () => ''))) await write(path, text)
  const { 'published.json': _, 'published.json.sig': __, ...listed } = files
  await write('SHA256SUMS', sumsOf(listed))
  await chmod(root, 0o755)
}
