import { hash } from 'node:crypto'
import path from 'node:path'
import { makeFolder, makeRoot } from '../files/folder.ts'
import { readFile } from '../files/open.ts'
import { replaceFile } from '../files/write.ts'
import { printable } from '../text/printable.ts'

/** One of the four addresses of a member. */
export type Key = `${'https' | 'http'} ${'user' | 'shots'}`

/** What a server gives to ask whether its answer still holds. */
export type Validators = { readonly etag?: string | undefined; readonly modified?: string | undefined }

export type Kept = Validators & { readonly bytes: Uint8Array }

/** The last bodies of a member. */
export type Bodies = { readonly [K in Key]?: Kept }

/** One file a member; it saves requests and decides nothing, see {@link Store.read}. */
export type Store = {
  /** The kept bodies whose sha256 is among those that `import.json` names: of others nobody knows who put them there. */
  readonly read: (name: string, digests: Readonly<Record<string, string>>) => Bodies
  readonly write: (name: string, bodies: Bodies) => void
}

/** A header of an answer, if it can be sent back in a request. */
export const sendable = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\x20-\x7e\x80-\xff]{1,999}$/.test(value) && printable(value) === value
    ? value
    : undefined

export const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes)

/**
 * Opens the store; its folder is made when something is written. A folder that the command line names is trusted; the
 * one beside the content is not, so a link on the way to it is refused. `remote` is what the bodies came from.
 */
export const openStore = (
  named: string | undefined,
  { content, remote }: { readonly content: string; readonly remote: string },
): Store => {
  const root = named === undefined ? path.dirname(path.resolve(content)) : path.resolve(named)
  makeRoot(root)
  const folder = named === undefined ? makeFolder(root, '.shotpress/import') : root
  return {
    read: (name, digests) => {
      const text = readFile(folder, fileOf(name), { limit: mostBytes })?.toString('utf8')
      const kept = text === undefined ? {} : parse(text)
      if (kept.remote !== remote) return {}
      const bodies: { -readonly [K in Key]?: Kept } = {}
      for (const [key, digest] of Object.entries(digests) as [Key, string][]) {
        const { body, etag, modified } = (kept[key] ?? {}) as Readonly<Record<string, unknown>>
        if (typeof body !== 'string') continue
        const bytes = Buffer.from(body, 'latin1')
        if (digestOf(bytes) === digest) {
          bodies[key] = { bytes, etag: sendable(etag), modified: sendable(modified) }
        }
      }
      return bodies
    },
    write: (name, bodies) => {
      const kept = Object.entries(bodies).map(([key, { bytes, etag, modified }]) => {
        return [key, { etag, modified, body: Buffer.from(bytes).toString('latin1') }]
      })
      replaceFile(folder, fileOf(name), JSON.stringify({ remote, ...Object.fromEntries(kept) }))
    },
  }
}

/** Of four bodies of 8 MiB, each byte of which takes two as text. */
const mostBytes = 80 << 20

const fileOf = (name: string): string => `${name}.json`

/** The file may hold anything. */
const parse = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
