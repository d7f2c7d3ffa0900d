/** The headers that a store keeps with a file, by name. Those of the contract that hold for every answer are not a file's. */
export type StoredHeaders = Readonly<Record<string, string>>

/**
 * Folder at the remote for what deployments keep there: files that are staged, and what the deployments of shards leave
 * for the one that ends them all. That is for each the files that it writes, and an empty file of the same name and
 * `.done` once they are there.
 */
export const deployFolder = '.shotpress-deploy.d'

/** Files by the lines of a list: one path a line, below `from` and at the same path of the remote. */
export type Shipment = {
  /** Absolute path of the folder that holds the files. */
  readonly from: string
  /** Absolute path of the list. */
  readonly list: string
  readonly headers: StoredHeaders
}

/** Where a snapshot is published. Every failure is a UserError in plain words. */
export type Store = {
  /** Copies a file of the remote to a path below a folder; says whether the remote has it. One request. */
  readonly fetch: (path: string, to: { readonly root: string; readonly below: string }) => Promise<boolean>
  /** Copies the files of a folder of the remote, which may be missing, into a folder. */
  readonly fetchFolder: (path: string, into: string) => Promise<void>
  /** Makes ready what will be uploaded, where that takes room at the remote, so that a full one is noticed early. */
  readonly prepare: (shipments: readonly Shipment[]) => Promise<void>
  /** Puts files in their places, each in one step. */
  readonly upload: (shipment: Shipment) => Promise<void>
  /** Removes the files of a list; those that are gone already are no failure. */
  readonly remove: (list: string) => Promise<void>
  /** Closes the remote, and removes what was made ready and not used. */
  readonly close: () => void
}
