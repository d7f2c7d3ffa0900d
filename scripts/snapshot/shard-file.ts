import fs from 'node:fs'
import type { Site } from '../content/site.ts'
import { isPathBelow } from '../files/path-below.ts'
import { remove } from '../files/remove.ts'
import { replaceFile } from '../files/write.ts'
import { readLines } from '../sums/read.ts'
import { type Holding, holdingCodes } from './member/holdings.ts'
import type { Shard } from './state/shard.ts'

/** What a shard's build leaves for the merge besides its state. */
export type ShardFacts = {
  readonly shard: Shard
  /** They name the state that these facts belong to. */
  readonly epoch: string
  readonly sums: string
  readonly site: Site
  /** What diagnostics call the content folder. */
  readonly content: string
}

/** What a member holds, a line a member: a merge reads the content of none. */
export type HoldingsLine = {
  readonly username: string
  /** Of the content that it was made from, in hex. */
  readonly key: string
  readonly line: string
}

const shardFile = 'shard'

const isHoldingCode = (text: unknown): text is Holding['code'] => holdingCodes.some((code) => code === text)

/** The facts of a shard's build; `undefined` if there are none, or they can't be what a build wrote. */
export const readShardFacts = (own: string): ShardFacts | undefined => {
  for (const line of readLines(own, shardFile)) {
    const facts = parseObject(line) as Partial<ShardFacts> | undefined
    const { index, count } = facts?.shard ?? {}
    const isSound =
      Number.isInteger(index) &&
      Number.isInteger(count) &&
      [facts?.epoch, facts?.sums, facts?.content].every((text) => typeof text === 'string') &&
      typeof facts?.site === 'object'
    return isSound ? (facts as ShardFacts) : undefined
  }
  return undefined
}

/** The lines of the members, in the order in which they were written. */
export function* readHoldingsLines(own: string): Generator<HoldingsLine> {
  let isFirst = true
  for (const line of readLines(own, shardFile)) {
    // a username holds no space
    const [username = '', key = ''] = line.slice(0, 200).split(' ')
    if (!isFirst) yield { username, key, line }
    isFirst = false
  }
}

/** A line for some of what a member holds; lines of one member follow each other. */
export const holdingsLines = (
  { username, key }: Pick<HoldingsLine, 'username' | 'key'>,
  holdings: readonly Holding[],
): readonly string[] => {
  const rows = holdings.map(({ code, value, text, name, made, place }) => [
    ...[code, value, text, name, made, place.file],
    ...[place.line, place.column, place.endLine, place.endColumn],
  ])
  const parts = Array.from({ length: Math.ceil(rows.length / rowsPerLine) }, (_, part) =>
    rows.slice(part * rowsPerLine, (part + 1) * rowsPerLine),
  )
  return parts.map((part) => `${username} ${key} ${JSON.stringify(part)}`)
}

/** So that no line is longer than a reader takes. */
const rowsPerLine = 500

/** What stands in a line; nothing of what can't be what a build wrote. */
export const parseHoldings = ({ username, key, line }: HoldingsLine): readonly Holding[] => {
  const rows = parseObject(line.slice(username.length + key.length + 2))
  if (!Array.isArray(rows)) return []
  return rows.flatMap((row) => {
    const [code, value, text, name, made, file, ...span] = row as readonly unknown[]
    const isSound =
      [value, text, name, file].every((part) => typeof part === 'string') &&
      isPathBelow(file as string) &&
      span.length === 4 &&
      span.every((number) => Number.isInteger(number))
    if (!isSound || !isHoldingCode(code)) return []
    const [line, column, endLine, endColumn] = span as [number, number, number, number]
    const place = { file: file as string, line, column, endLine, endColumn }
    return [
      {
        code,
        value: value as string,
        text: text as string,
        name: name as string,
        made: made === true,
        place,
      },
    ]
  })
}

/** Writes the facts and the lines, whole or not at all. */
export const writeShardFile = (own: string, facts: ShardFacts, lines: Iterable<string>): void =>
  replaceFile(own, shardFile, (file) => {
    let text = `${JSON.stringify(facts)}\n`
    for (const line of lines) {
      text += `${line}\n`
      if (text.length < 1 << 18) continue
      fs.writeSync(file, text)
      text = ''
    }
    fs.writeSync(file, text)
  })

/** Once the folder holds a whole snapshot. */
export const removeShardFile = (own: string): void => remove(own, shardFile)

const parseObject = (text: string): object | undefined => {
  try {
    const read = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
