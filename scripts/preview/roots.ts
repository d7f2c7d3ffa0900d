import fs from 'node:fs'
import path from 'node:path'
import { type Variant, variantFolder } from '../api/routes.ts'
import { serveConfig, serveNotFound } from '../hosts/serve.ts'
import type { Folders } from '../snapshot/state/folders.ts'

/** The folder for what the preview needs for itself. Git leaves it alone, whatever repository it lies in. */
export const prepareFolder = ({ own }: Folders): string => {
  const folder = path.join(own, 'preview')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, '.gitignore'), '*\n')
  return folder
}

export type Root = { readonly folder: string; readonly config: string }

/**
 * What one `serve` process takes for its root: its config, the body of a 404, and a link to the snapshot. Below a link
 * `serve` hides the files of the snapshot, answers for usernames with a dot, and follows a snapshot that is replaced.
 */
export const prepareRoot = (
  variant: Variant,
  { folder, out, basePath }: { readonly folder: string; readonly out: string; readonly basePath: string },
): Root => {
  const root = path.join(folder, variant)
  const config = path.join(root, 'serve.json')
  fs.mkdirSync(root, { recursive: true })
  const variantPath = [linkName, variantFolder[variant]].filter((name) => name !== '').join('/')
  fs.writeFileSync(config, serveConfig({ basePath, folder: variantPath, siteFolder: linkName }))
  fs.writeFileSync(path.join(root, serveNotFound.path), serveNotFound.text)
  const link = path.join(root, linkName)
  if (!isLinkTo(link, out)) {
    fs.rmSync(link, { recursive: true, force: true })
    fs.symlinkSync(out, link, 'junction')
  }
  return { folder: root, config }
}

const linkName = 'snapshot'

const isLinkTo = (link: string, target: string): boolean =>
  fs.lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true && fs.readlinkSync(link) === target
