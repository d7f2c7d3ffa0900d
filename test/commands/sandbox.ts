import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import glob from 'fast-glob'
import { onTestFinished } from 'vitest'

/** Files by path. */
export type Tree = Readonly<Record<string, string | Uint8Array>>

/** A folder with these files, removed when the test ends. They are made in the order given. */
export const sandbox = (tree: Tree = {}): string => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  write(folder, tree)
  return folder
}

export const write = (folder: string, tree: Tree): void => {
  for (const [file, text] of Object.entries(tree)) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.writeFileSync(path.join(folder, file), text)
  }
}

/** Every file below a folder: its text, and the nanosecond in which it was last changed. */
export const snapshotOf = (folder: string): Readonly<Record<string, { text: string; changed: bigint }>> =>
  Object.fromEntries(
    glob
      .sync('**', { cwd: folder, dot: true })
      .sort()
      .map((file) => {
        const name = path.join(folder, file)
        const { mtimeNs } = fs.statSync(name, { bigint: true })
        return [file, { text: fs.readFileSync(name, 'utf8'), changed: mtimeNs }]
      }),
  )

/** A site of two members and three shots. */
export const site = {
  'content/site.yaml': 'base_url: https://api.example.com\n',
  'content/members/ana/profile.yaml': 'id: 1\nname: Ana Example\navatar: ana.png\n',
  'content/members/ana/shots/one.yaml': 'id: 11\ntitle: One\ndate: 2014-03-02\nimage: one.png\n',
  'content/members/ana/shots/two.yaml': 'id: 12\ntitle: Two\ndate: 2014-03-02\nimage: two.png\n',
  'content/members/bo/profile.yaml': 'id: 2\nname: Bo Example\n',
  'content/members/bo/shots/one.yaml': 'id: 21\ntitle: Other\ndate: 2014-03-03\nimage: one.png\n',
} as const satisfies Tree
