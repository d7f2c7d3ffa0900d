import fs from 'node:fs'
import path from 'node:path'
import { variantFolder, variants } from '../../api/routes.ts'
import { findEntry } from '../../files/entry.ts'
import { makeFolder, makeRoot } from '../../files/folder.ts'
import { remove } from '../../files/remove.ts'
import { replaceFile } from '../../files/write.ts'
import { serveConfig, serveNotFound } from '../../hosts/serve.ts'
import type { Folders } from '../../snapshot/state/folders.ts'

export type Root = { readonly folder: string; readonly config: string }

/**
 * What `serve` takes for its root: its config, the body of a 404, and a link to the snapshot. Below a link `serve` answers for usernames with a dot, and follows a snapshot that is replaced. Git leaves the
 * folder alone, whatever repository it lies in.
 */
export const prepareRoot = ({ own, out }: Folders): Root => {
  makeRoot(own)
  const folder = makeFolder(own, 'preview/serve')
  replaceFile(own, 'preview/.gitignore', '*\n')
  const places = variants.map((variant) => ({
    source: `/${variant}`,
    folder: [link, variantFolder[variant]].filter((name) => name !== '').join('/'),
    siteFolder: link,
  }))
  replaceFile(folder, configFile, serveConfig(places))
  replaceFile(folder, serveNotFound.path, serveNotFound.text)
  if (!isLinkTo(folder, link, out)) {
    remove(folder, link)
    fs.symlinkSync(out, path.join(folder, link), 'junction')
  }
  return { folder, config: path.join(folder, configFile) }
}

/** No request begins with it: what lies in the root under its own name is taken for a file, dots and all. */
const link = 'snapshot'

const configFile = 'serve.json'

const isLinkTo = (folder: string, name: string, target: string): boolean =>
  findEntry(folder, name)?.isSymbolicLink() === true && fs.readlinkSync(path.join(folder, name)) === target
