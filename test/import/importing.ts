import path from 'node:path'
import glob from 'fast-glob'
import { expect } from 'vitest'
import type { Clock } from '../../scripts/import/fetch.ts'
import { importSite } from '../../scripts/import/import-site.ts'
import type { ImportOptions } from '../../scripts/import/run.ts'
import { isThere, readText, sandbox, writeTree } from '../sandbox.ts'
import { checkIn } from '../snapshot/building.ts'
import { addresses, sendTo } from '../verify/in-process.ts'
import type { Handler } from '../verify/reference-host.ts'
import { type Legacy, legacyHandler } from './legacy.ts'

export type Imported = Awaited<ReturnType<typeof importFrom>>

/**
 * Imports from a handler in this process, or from what the old server says, into `content` of
 * a folder. Without names it asks for all that were imported, or the first time for all that
 * the old server has.
 */
export const importFrom = async (
  remote: Handler | Legacy,
  folder: string,
  options: Partial<ImportOptions> & { readonly pictureHandler?: Handler } = {},
) => {
  const handler = typeof remote === 'function' ? remote : legacyHandler(remote)
  const { sender, requests } = sendTo(handler)
  const clock = fakeClock()
  const written: string[] = []
  const content = path.join(folder, 'content')
  const isFirst = typeof remote !== 'function' && !isThere(content, 'members')
  const result = await importSite({
    addresses,
    content,
    state: path.join(folder, 'state'),
    names: isFirst ? Object.keys(remote) : [],
    users: undefined,
    sender,
    rate: 1e6,
    clock,
    offline: false,
    httpsOnly: false,
    prove: false,
    strict: false,
    side: undefined,
    allowRemoval: false,
    pictures: false,
    openSender: () => sendTo(options.pictureHandler ?? handler).sender,
    onProgress: () => {},
    onWritten: (files) => written.push(...files),
    ...options,
  })
  if (result.stopped !== undefined) throw result.stopped
  const shown = `${folder.replaceAll(path.sep, '/')}/`
  const told = result.told.map((one) => ({ ...one, file: one.file.replace(shown, '') }))
  return {
    codes: told.map(({ code }) => code).sort(),
    told,
    requests: requests.length,
    written,
    tally: result.tally,
    /** Milliseconds that it waited, had there been a clock. */
    waited: clock.waited(),
  }
}

/** The codes of what an import tells. */
export const codesOf = async (...args: Parameters<typeof importFrom>) =>
  (await importFrom(...args)).codes

/** Imports, and is told these codes, with a space between them, and no others. */
export const expectCodes = async (codes: string, ...args: Parameters<typeof importFrom>) =>
  expect((await codesOf(...args)).join(' ')).toBe(codes)

/** Imports each in turn into a folder of its own; gives what the last one said. */
export const importInto = async (...remotes: readonly (Handler | Legacy)[]) => {
  const folder = sandbox()
  let result: Imported | undefined
  for (const remote of remotes) result = await importFrom(remote, folder, { names: ['ana'] })
  /** A file of ana. */
  const file = (name: string) => readText(`${folder}/content/members/ana/${name}`)
  return { ...result!, folder, file, files: contentOf(folder) }
}

/** Edits a file of ana by hand. */
export const edit = (folder: string, name: string, from: string, to: string) => {
  const file = `content/members/ana/${name}`
  const text = readText(`${folder}/${file}`)
  expect(text).toContain(from)
  writeTree(folder, { [file]: text.replace(from, to) })
}

const fakeClock = (): Clock & { readonly waited: () => number } => {
  let time = Date.UTC(2026, 0, 1)
  const start = time
  return {
    now: () => time,
    wait: async (ms) => {
      time += ms
    },
    waited: () => time - start,
  }
}

/** The texts of the content, by path below it. */
export const contentOf = (folder: string) => {
  const content = path.join(folder, 'content')
  const files = glob.sync('**', { cwd: content }).sort()
  return Object.fromEntries(files.map((file) => [file, readText(`${content}/${file}`)]))
}

/** What `shotpress check` says of the content: codes and messages. */
export const checkOf = async (folder: string) => {
  const { diagnostics } = await checkIn(folder)
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, file, message }) => `${code} ${file} ${message}`)
}
