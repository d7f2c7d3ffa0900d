import { expect } from 'vitest'
import {
  type Deployed,
  type DeployOptions,
  deploy,
  inSession,
  type Session,
} from '../../scripts/deploy/deploy.ts'
import type { Store, StoredHeaders } from '../../scripts/deploy/store.ts'
import { readText, type Tree } from '../sandbox.ts'
import { published, snapshot, sorted } from './snapshots.ts'

/** A remote in memory. */
export type Remote = {
  readonly files: Map<string, string>
  readonly headers: Map<string, StoredHeaders>
  /** Every request, as `PUT path`. */
  readonly requests: string[]
}

export const createRemote = (files: Tree = {}): Remote => ({
  files: new Map(Object.entries(files).map(([file, text]) => [file, String(text)])),
  headers: new Map(),
  requests: [],
})

/**
 * A remote that holds what is published of these files, and nothing of a deployment that is
 * under way.
 */
export const remoteWith = (files: Tree): Remote => createRemote(published(files))

/** What a remote holds, sorted by path. */
export const contentOf = ({ files }: Remote) => sorted(Object.fromEntries(files))

export class Killed extends Error {}

/** For deployments that may be killed or not. */
export const expectKilled = (error: unknown) => expect(error).toBeInstanceOf(Killed)

type Faults = {
  /** The deployment dies before its change of this number, counted from 0. */
  readonly dieAt?: number | undefined
  /** Looks at the remote in between. */
  readonly afterChange?: (() => void) | undefined
}

/** Deploys a snapshot, or these files as one, to a remote in memory. */
export const publish = (
  what: string | Tree,
  remote: Remote,
  { dieAt, afterChange, ...options }: Partial<DeployOptions> & Faults = {},
): Promise<Deployed> => {
  const out = typeof what === 'string' ? what : snapshot(what)
  const store = createMemoryStore(remote, { dieAt, afterChange })
  return inSession(out, (session) => publishTo(session, store, options), { onWait: () => {} })
}

/** Deploys the snapshot of a session to a store. */
export const publishTo = (
  session: Session,
  store: Store,
  options: Partial<DeployOptions> = {},
): Promise<Deployed> =>
  deploy({
    ...session,
    store,
    dryRun: false,
    allowRemoval: false,
    onPlan: () => {},
    onProgress: () => {},
    ...options,
  })

const createMemoryStore = (
  { files, headers, requests }: Remote,
  { dieAt = Number.POSITIVE_INFINITY, afterChange = () => {} }: Faults,
): Store => {
  let changes = 0
  const change = (request: string, make: () => void) => {
    if (changes++ === dieAt) throw new Killed(request)
    requests.push(request)
    make()
    afterChange()
  }
  return {
    fetch: async (name) => {
      requests.push(`GET ${name}`)
      const text = files.get(name)
      return text === undefined ? undefined : Buffer.from(text)
    },
    fetchFolder: async (name) => {
      requests.push(`LIST ${name}`)
      const below = [...files].filter(([file]) => file.startsWith(`${name}/`))
      return new Map(
        below.map(([file, text]) => [file.slice(name.length + 1), Buffer.from(text)]),
      )
    },
    upload: async (from, batches) => {
      const all = batches.flatMap(({ paths, headers }) =>
        paths.map((file) => ({ file, stored: headers })),
      )
      for (const { file, stored } of all) {
        const text = readText(`${from}/${file}`)
        change(`PUT ${file}`, () => {
          files.set(file, text)
          headers.set(file, stored)
        })
      }
    },
    remove: async (paths) => {
      for (const file of paths) change(`DELETE ${file}`, () => files.delete(file))
    },
    close: () => {},
  }
}
