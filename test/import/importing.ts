import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import type { Clock } from '../../scripts/import/fetch.ts'
import { type ImportOptions, importSite } from '../../scripts/import/run.ts'
import { check } from '../../scripts/snapshot/check.ts'
import { addresses, sendTo } from '../verify/in-process.ts'
import type { Handler } from '../verify/reference-host.ts'
import { type Legacy, legacyHandler } from './legacy.ts'

export type Imported = {
  readonly codes: readonly string[]
  readonly told: readonly {
    readonly severity: string
    readonly code: string
    readonly message: string
    readonly file: string
    readonly line: number
    readonly hint: string | undefined
  }[]
  readonly requests: number
  readonly written: readonly string[]
  readonly tally: Awaited<ReturnType<typeof importSite>>['tally']
  /** Milliseconds that it waited, had there been a clock. */
  readonly waited: number
}

/** Imports from a handler in this process, or from what the old server says, into `content` of a folder. */
export const importFrom = async (
  remote: Handler | Legacy,
  folder: string,
  options: Partial<ImportOptions> & { readonly pictureHandler?: Handler } = {},
): Promise<Imported> => {
  const handler = typeof remote === 'function' ? remote : legacyHandler(remote)
  const { sender, requests } = sendTo(handler)
  const clock = fakeClock()
  const written: string[] = []
  const result = await importSite({
    addresses,
    content: path.join(folder, 'content'),
    state: path.join(folder, 'state'),
    hostNames: [],
    names: [],
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
  const told = result.told.map(({ severity, code, message, file, line, hint }) => ({
    severity,
    code,
    message,
    file: file.replace(`${folder.replaceAll(path.sep, '/')}/`, ''),
    line,
    hint,
  }))
  return {
    codes: told.map(({ code }) => code).sort(),
    told,
    requests: requests.length,
    written,
    tally: result.tally,
    waited: clock.waited(),
  }
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
export const contentOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    glob
      .sync('**', { cwd: path.join(folder, 'content') })
      .sort()
      .map((file) => [file, fs.readFileSync(path.join(folder, 'content', file), 'utf8')]),
  )

/** What `npm run check` says of the content: codes and messages. */
export const checkOf = async (folder: string): Promise<readonly string[]> => {
  const { diagnostics } = await check({
    content: path.join(folder, 'content'),
    out: path.join(folder, 'dist'),
    hostNames: [],
    onProgress: () => {},
  })
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, file, message }) => `${code} ${file} ${message}`)
}
