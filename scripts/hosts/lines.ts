import { type Host, overHttp } from './host.ts'

/** A config line by line. A value in a line may bring line breaks along, which stay as they are. */
export type Lines = readonly string[]

type Filled = string | number | false | undefined | readonly Filled[]

/**
 * A config as it is printed, without the margin of its first line. A line is repeated for
 * each value of a list that is filled in, as deep as it stands: `listen ${ports};` Where
 * nothing is filled in, `false` or `undefined`, there is no line.
 */
export const lines = (texts: TemplateStringsArray, ...values: readonly Filled[]): Lines => {
  const [, ...rows] = texts.join(hole).trimEnd().split('\n')
  const margin = rows[0]?.search(/\S/)
  const lists = values.map(listOf)
  return rows.flatMap((row) => {
    const own = lists.splice(0, row.split(hole).length - 1)
    return own
      .reduce<Lines>(
        (some, list) =>
          some.flatMap((line) => list.map((value) => line.replace(hole, () => value))),
        [row.slice(margin)],
      )
      .map((line) => line.trim() && line)
  })
}

/** Stands for a value. */
const hole = '\0'

const listOf = (value: Filled): Lines => {
  if (value === false || value === undefined) return []
  return typeof value === 'object' ? value.flatMap(listOf) : [`${value}`]
}

/** The text of a config, which ends with a newline. */
export const textOf = (lines: Lines): string => `${lines.join('\n')}\n`

export const json = (value: object): string => JSON.stringify(value, null, 2)

/** A whole file of JSON. */
export const jsonFile = (value: object): string => `${json(value)}\n`

/** Text as a regular expression that matches it and nothing else. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|#]/g, '\\$&')

/** What the head of a generated file says at its end, as comments: what the host cannot do. */
export const limitsOf = (host: Host, hasHttp: boolean): Lines =>
  [
    ...(hasHttp ? [] : [`Clients over http get ${overHttp(host)}.`]),
    '',
    'What this host cannot do:',
    ...(host.cannot ?? []).map((text) => `- ${text}`),
  ].map((line) => `${host.lead ?? '#'} ${line}`.trimEnd())

/**
 * What every server's config says where the site has http, since it is the first thing that
 * people add.
 */
export const noHsts =
  "It never sends Strict-Transport-Security, which would end the http variant; don't add it."
