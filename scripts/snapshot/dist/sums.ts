import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import { filePath, routes, sumsFile, variants } from '../../api/routes.ts'
import { byPath } from '../../content/username.ts'
import { writeNew } from '../../files/write.ts'
import type { StateEntry } from '../state/entry.ts'
import { slotPath, slots } from '../state/slots.ts'
import type { FrameFile } from './look/frame.ts'

/** Stages SHA256SUMS in the format of coreutils, sorted by path, without holding it whole; says its sha256 in hex. */
export const writeSums = (
  stage: string,
  {
    frame,
    entries,
    seconds,
  }: { frame: readonly FrameFile[]; entries: Iterable<StateEntry>; seconds: number },
): string => {
  const sum = createHash('sha256')
  writeNew(stage, sumsFile, (file) => {
    for (const text of chunks(frame, entries)) {
      sum.update(text)
      fs.writeFileSync(file, text)
    }
    fs.futimesSync(file, seconds, seconds)
  })
  return sum.digest('hex')
}

/** Stages a whole SHA256SUMS; says its sha256 in hex. */
export const writeList = (
  stage: string,
  { list, seconds }: { readonly list: Uint8Array; readonly seconds: number },
): string => {
  writeNew(stage, sumsFile, (file) => {
    fs.writeFileSync(file, list)
    fs.futimesSync(file, seconds, seconds)
  })
  return hash('sha256', list)
}

function* chunks(frame: readonly FrameFile[], entries: Iterable<StateEntry>): Generator<string> {
  const aliases = aliasesOf(entries)
  const groups = [
    ...frame.map((file) => ({
      path: file.path,
      lines: () => [`${hash('sha256', file.text)}  ${file.path}\n`],
    })),
    ...variants.map((variant) => ({
      path: filePath(routes[0]!, variant, ''),
      lines: () => memberLines(variant, byName(entries, aliases)),
    })),
  ]
  for (const { lines } of groups.sort((a, b) => (a.path < b.path ? -1 : 1))) yield* lines()
}

/** The files of a member under one of its names. */
type Named = { readonly name: string; readonly digests: StateEntry['digests'] }

const aliasesOf = (entries: Iterable<StateEntry>): readonly Named[] => {
  const aliases: Named[] = []
  for (const entry of entries) {
    for (const name of entry.aliases) aliases.push({ name, digests: entry.digests })
  }
  return aliases.sort((a, b) => byPath(a.name, b.name))
}

/** Every name at which the API answers, in the order of the paths; the entries have the order of their usernames'. */
function* byName(entries: Iterable<StateEntry>, aliases: readonly Named[]): Generator<Named> {
  let next = 0
  for (const { username, digests } of entries) {
    while (next < aliases.length && byPath(aliases[next]!.name, username) < 0) yield aliases[next++]!
    yield { name: username, digests }
  }
  yield* aliases.slice(next)
}

/** A name at a time: they are in the order of their paths, and so are the slots of one. */
function* memberLines(variant: (typeof variants)[number], named: Iterable<Named>): Generator<string> {
  const own = slots.flatMap((slot, number) => (slot.variant === variant ? [{ slot, number }] : []))
  let text = ''
  for (const { name, digests } of named) {
    for (const { slot, number } of own) {
      const digest = digests[number]
      if (digest !== undefined) text += `${digest.toString('hex')}  ${slotPath(slot, name)}\n`
    }
    if (text.length > 1 << 18) {
      yield text
      text = ''
    }
  }
  yield text
}
