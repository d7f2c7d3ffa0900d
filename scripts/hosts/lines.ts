import { type Host, type HostFacts, type HostOptions, overHttp } from './host.ts'

/**
 * A config line by line, in lists of lists; `false` is no line. A text that begins with a line break has the lines below that,
 * without the margin of the first one.
 */
export type Lines = readonly (string | false | Lines | { readonly indented: Lines })[]

/** The text of a config, which ends with a newline. */
export const textOf = (lines: Lines, indent = '  '): string => `${flat(lines, indent).join('\n')}\n`

const flat = (lines: Lines, indent: string): readonly string[] =>
  lines.flatMap((line) => {
    if (line === false) return []
    if (typeof line === 'string') return split(line, indent)
    return 'indented' in line
      ? flat(line.indented, indent).map((inner) => inner && indent + inner)
      : flat(line, indent)
  })

const split = (text: string, indent: string): readonly string[] => {
  const margin = /^\n( *)/.exec(text)?.[1]
  if (margin === undefined) return [text]
  const lines = text.trimEnd().slice(1).split('\n')
  return lines.map((line) =>
    line.slice(margin.length).replace(/^ +/, (spaces) => indent.repeat(spaces.length / 2)),
  )
}

/** A block between braces, after its head if it has one. */
export const block = (head: string, indented: Lines): Lines => [
  `${head} {`.trimStart(),
  { indented },
  '}',
]

export const json = (value: object): string => JSON.stringify(value, null, 2)

/** A whole file of JSON. */
export const jsonFile = (value: object): string => `${json(value)}\n`

/** Text as a regular expression that matches it and nothing else. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|#]/g, '\\$&')

/** The head of a generated file as a comment: what it is for, then what the host cannot do. */
export const about = (
  host: Host,
  { schemes }: Pick<HostFacts, 'schemes'>,
  ...lines: readonly (string | false)[]
): string =>
  [
    ...lines.filter((line) => line !== false),
    ...(schemes.includes('http') ? [] : [`Clients over http get ${overHttp(host)}.`]),
    '',
    'What this host cannot do:',
    ...(host.cannot ?? []).map((text) => `- ${text}`),
  ]
    .map((line) => `${host.lead ?? '#'} ${line}`.trimEnd())
    .join('\n')

/** What every server's config says where the site has http, since it is the first thing that people add. */
export const noHsts =
  "It never sends Strict-Transport-Security, which would end the http variant; don't add it."

/** The head of the config of a server of one's own. */
export const serverHead = (
  host: Host,
  options: HostOptions,
  ...lines: readonly string[]
): string => {
  const made = `${options.name}, made by Shotpress: npx shotpress host ${host.name}`
  return about(host, options, made, ...lines, options.schemes.includes('http') && noHsts)
}
