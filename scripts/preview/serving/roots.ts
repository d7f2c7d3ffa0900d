import fs from 'node:fs'
import path from 'node:path'
import { variantFolder, variants } from '../../api/routes.ts'
import { makeFolder } from '../../files/folder.ts'
import { replaceLink } from '../../files/link.ts'
import { replaceFile } from '../../files/write.ts'
import { serveConfig, serveNotFound } from '../../hosts/managed/serve.ts'
import { type Folders, makeOwnFolder } from '../../snapshot/state/folders.ts'

export type Root = { readonly folder: string; readonly config: string }

/**
 * What `serve` takes for its root: its config, the body of a 404, and a link to the snapshot. Below a link `serve`
 * answers for usernames with a dot, and follows a snapshot that is replaced. Git leaves the folder alone, whatever
 * repository it lies in.
 */
export const prepareRoot = (folders: Folders): Root => {
  const own = makeOwnFolder(folders)
  const folder = makeFolder(own, rootFolder)
  replaceFile(own, 'preview/.gitignore', '*\n')
  const places = variants.map((variant) => ({
    source: `/${variant}`,
    folder: [link, variantFolder[variant]].filter((name) => name !== '').join('/'),
    siteFolder: link,
  }))
  replaceFile(folder, configFile, serveConfig(places))
  replaceFile(folder, serveNotFound.path, serveNotFound.text)
  replaceLink(folder, link, folders.out)
  return { folder, config: path.join(folder, configFile) }
}

/** Whether the root is still there. Of its files the link is made last. */
export const hasRoot = ({ own }: Folders): boolean => {
  const last = path.join(own.root, own.below, rootFolder, link)
  return fs.lstatSync(last, { throwIfNoEntry: false }) !== undefined
}

const rootFolder = 'preview/serve'

/** No request begins with it: what lies in the root under its own name is taken for a file, dots and all. */
const link = 'snapshot'

const configFile = 'serve.json'
