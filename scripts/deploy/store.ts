import fs from 'node:fs'
import { readFile } from '../files/folder.ts'

/** The headers that a store keeps with a file, by name. Those of the contract that hold for every answer are not a file's. */
export type StoredHeaders = Readonly<Record<string, string>>

/**
 * Folder at the remote for what deployments keep there: files that are staged, and a marker of each deployment of a
 * shard, for the one that ends them all.
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
  /** A file of the remote, if it has it. One request. */
  readonly fetch: (path: string) => Promise<Buffer | undefined>
  /** The files of a folder of the remote, which may be missing, by name. */
  readonly fetchFolder: (path: string) => Promise<ReadonlyMap<string, Buffer>>
  /**
   * Puts files in their places, each in one step, one shipment after the other, and calls back after each. Where files are
   * made ready at the remote first, all of them are before the first one moves, so that a full one is noticed early.
   */
  readonly upload: (
    shipments: readonly Shipment[],
    onUploaded?: (shipment: Shipment) => void,
  ) => Promise<void>
  /** Removes files; those that are gone already are no failure. */
  readonly remove: (paths: readonly string[]) => Promise<void>
  /** Closes the remote, and removes what was made ready and not used. */
  readonly close: () => void
}

/** The plain files of a folder of this machine, by name. */
export const filesIn = (folder: string | undefined): ReadonlyMap<string, Buffer> =>
  new Map(
    (folder === undefined ? [] : fs.readdirSync(folder)).flatMap((name) => {
      const bytes = readFile(folder!, name)
      return bytes === undefined ? [] : [[name, bytes] as const]
    }),
  )
