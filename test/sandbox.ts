import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** Texts by a name, such as headers, or files by their paths. */
export type Texts = Readonly<Record<string, string>>

/** Files by path. */
export type Tree = Readonly<Record<string, string | Uint8Array>>

/**
 * A folder with these files, removed when the test ends, or with `afterAll` after all tests
 * of a file. They are made in the order given.
 */
export const sandbox = (
  tree: Tree = {},
  end: (clear: () => void) => void = onTestFinished,
) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-'))
  end(() => fs.rmSync(folder, { recursive: true, force: true }))
  writeTree(folder, tree)
  return folder
}

/** Writes files, making their folders. */
export const writeTree = (folder: string, tree: Tree) => {
  for (const [file, text] of Object.entries(tree)) {
    fs.mkdirSync(path.dirname(`${folder}/${file}`), { recursive: true })
    fs.writeFileSync(`${folder}/${file}`, text)
  }
}

export const readText = (file: string) => fs.readFileSync(file, 'utf8')

/** Adds to the end of a file. */
export const appendTo = (folder: string, file: string, text: string) =>
  fs.appendFileSync(`${folder}/${file}`, text)

/** What a file of JSON says. */
export const readJson = (file: string) => JSON.parse(readText(file))

/** Whether something of that name is in a folder; a link that leads nowhere is not. */
export const isThere = (folder: string, file: string) => fs.existsSync(`${folder}/${file}`)

/** What is in a folder, sorted on most systems. */
export const namesIn = (folder: string, below: string) => fs.readdirSync(`${folder}/${below}`)

/** Makes a folder, and those above it. */
export const makeFolder = (folder: string, below: string) =>
  fs.mkdirSync(`${folder}/${below}`, { recursive: true })

/** Removes a file, or a folder with all that is in it; it has to be there. */
export const removeFrom = (folder: string, file: string) =>
  fs.rmSync(`${folder}/${file}`, { recursive: true })

export const renameIn = (folder: string, from: string, to: string) =>
  fs.renameSync(`${folder}/${from}`, `${folder}/${to}`)

/**
 * The text of every file below a folder, or one in it, sorted by path; a link is `-> target`,
 * and an empty folder `name/`.
 */
export const readTree = (root: string, below = '') => {
  const folder = `${root}/${below}`
  const tree: Record<string, string> = {}
  const visit = (inside: string) => {
    const entries = fs.readdirSync(`${folder}/${inside}`, { withFileTypes: true })
    if (entries.length === 0 && inside !== '') tree[`${inside}/`] = ''
    for (const entry of entries) {
      const name = inside === '' ? entry.name : `${inside}/${entry.name}`
      if (entry.isDirectory()) visit(name)
      else if (entry.isSymbolicLink())
        tree[name] = `-> ${fs.readlinkSync(path.join(folder, name))}`
      else tree[name] = fs.readFileSync(`${folder}/${name}`, 'utf8')
    }
  }
  if (fs.existsSync(folder)) visit('')
  return Object.fromEntries(
    Object.entries(tree).sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

/** The same, with the nanosecond in which each file was last changed. */
export const withTimes = (folder: string) =>
  Object.fromEntries(
    Object.entries(readTree(folder)).map(([file, text]) => [
      file,
      { text, changed: fs.lstatSync(`${folder}/${file}`, { bigint: true }).mtimeNs },
    ]),
  )
