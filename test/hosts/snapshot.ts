import { chmod, mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Encoding, errors, filePath, routes, type Variant, variants } from '../../scripts/api/routes.ts'

/** Usernames of the fixture: plain, with every punctuation mark, and of the greatest length. */
export const usernames = ['ana', 'a.b-c_d', `L${'o'.repeat(62)}g`] as const

/** The body of a fixture's file. */
export const body = (variant: Variant, username: string, route: string): string =>
  `${JSON.stringify({ username, route, avatar: `${variant}://img.example.com/${username}.png`, bio: 'pens '.repeat(99) })}\n`

/** The file that answers /openapi.json over both schemes. */
export const openapi = `{"openapi":"3.1.0","info":"${'pens '.repeat(99)}"}\n`

/** The files of the site as a whole, by the path that they answer; `bins` and `all` have one for each scheme. */
export const siteText = (name: string, variant: Variant): string =>
  `{"${name}":"${variant === 'http' ? 'http' : 'https'}","of":"${'ink '.repeat(99)}"}\n`
export const picture = `/pictures/${'0a'.repeat(16)}.png`
export const bin = '/api/all/0f.ndjson'

/** Writes a small snapshot by hand, as the build lays it out: no two files have the same mtime second. */
export const writeSnapshot = async (root: string, precompress: readonly Encoding[] = []): Promise<void> => {
  let mtime = 1_400_000_000
  const write = async (path: string, content: string | Buffer): Promise<void> => {
    const file = join(root, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    await utimes(file, mtime, mtime++)
  }
  for (const username of usernames)
    for (const variant of variants)
      for (const route of routes) {
        const [path, text] = [filePath(route, variant, username), body(variant, username, route.name)]
        await write(path, text)
        // as the build does: no sibling where it would not be smaller; here, the shots of the second member
        if (username === usernames[1] && route.name === 'shots') continue
        if (precompress.includes('br')) await write(`${path}.br`, brotliCompressSync(text))
        if (precompress.includes('gzip')) await write(`${path}.gz`, gzipSync(text))
      }
  for (const error of Object.values(errors)) await write(error.file, error.body)
  await write('openapi.json', openapi)
  await write('api/members/index.json', siteText('members', 'https'))
  await write(picture.slice(1), siteText('picture', 'https'))
  for (const variant of variants) {
    const folder = variant === 'http' ? 'http/' : ''
    await write(`${folder}api/all/index.json`, siteText('all', variant))
    await write(`${folder}${bin.slice(1)}`, siteText('bin', variant))
  }
  await write('SHA256SUMS', '')
  await chmod(root, 0o755)
}
