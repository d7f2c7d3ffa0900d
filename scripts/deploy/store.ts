import fs from 'node:fs'
import { readFile } from '../files/open.ts'
import { UserError } from '../problems/user-error.ts'

/** The headers that a store keeps with a file, by name. Those of the contract that hold for every answer are not a file's. */
export type StoredHeaders = Readonly<Record<string, string>>

/**
 * Folder at the remote for what deployments keep there: files that are staged, and what the deployments of shards leave
 * for the one that ends them all. That is for each the files that it writes, and an empty file of the same name and
 * `.done` once they are there.
 */
export const deployFolder = '.shotpress-deploy.d'

/** Files below a folder that go to the same paths of the remote. */
export type Shipment = {
  /** Absolute path of the folder that holds the files. */
  readonly from: string
  readonly paths: readonly string[]
  readonly headers: StoredHeaders
}

/** Where a snapshot is published. Every failure is a UserError in plain words. */
export type Store = {
  /** A file of the remote, if it has it. One request. A file that has more bytes than the limit is not fetched whole. */
  readonly fetch: (path: string, options?: { readonly limit?: number }) => Promise<Buffer | undefined>
  /** The files of a folder of the remote, which may be missing, by name. */
  readonly fetchFolder: (path: string) => Promise<ReadonlyMap<string, Buffer>>
  /** Makes ready what will be uploaded, where that takes room at the remote, so that a full one is noticed early. */
  readonly prepare: (shipments: readonly Shipment[]) => Promise<void>
  /** Puts files in their places, each in one step. */
  readonly upload: (shipment: Shipment) => Promise<void>
  /** Removes files; those that are gone already are no failure. */
  readonly remove: (paths: readonly string[]) => Promise<void>
  /** Closes the remote, and removes what was made ready and not used. */
  readonly close: () => void
}

/** The most bytes of a file that is read into memory: enough for the list of a million members. */
export const fetchLimit = 2 ** 29

/** A file at the remote that is no such thing as its name says. */
export const tooLarge = (name: string): UserError =>
  new UserError(`${name} at the remote is larger than it can be`, {
    hint: 'look at what it is, and remove it there',
  })

/** The plain files of a folder of this machine, by name. */
export const filesIn = (folder: string | undefined): ReadonlyMap<string, Buffer> =>
  new Map(
    (folder === undefined ? [] : fs.readdirSync(folder)).flatMap((name) => {
      const bytes = readFile(folder!, name, { limit: fetchLimit })
      return bytes === undefined ? [] : [[name, bytes] as const]
    }),
  )
