import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { UserError } from '../problems/diagnostic.ts'
import { type FormatName, formats } from '../problems/formats.ts'
import { hang } from '../text/cells.ts'
import { quote } from '../text/printable.ts'
import { suggest } from '../text/suggest.ts'
import { reportFailure, type Status, status } from './output.ts'

export type Option = {
  /** The placeholder of the value in `--help` (`DIR`); an option without one is a switch. */
  readonly value?: string
  /** What the value may be; anything, if they are left out. */
  readonly choices?: readonly string[]
  /**
   * Of a value that is a number: what it counts (`a number of members`), and the least and
   * the most that it may be.
   */
  readonly number?: { readonly takes: string; readonly least: number; readonly most: number }
  readonly default?: string
  /** Whether it may be given several times; then its value is a list. */
  readonly repeats?: true
  readonly description: string
}

export type Options = Readonly<Record<string, Option>>

type Command<O extends Options> = {
  /** How people call it: `npx shotpress build`. */
  readonly name: string
  /** One sentence, without a final period. */
  readonly summary: string
  /**
   * Operands in `--help`, such as `URL [URL]` or `DIR…`: fewer or more than it says are
   * refused.
   */
  readonly operands?: string
  /** Operands that somebody may type, for the hint where one is missing. */
  readonly example?: string
  readonly options: O
  /** Lines shown below the options in `--help`. */
  readonly notes?: readonly string[]
  /** Gives the exit status; it is `done` if none is given. */
  readonly run: (input: Input<O>) => Promise<Status> | Promise<void>
}

export type Input<O extends Options> = {
  readonly operands: readonly string[]
  /** `--dry-run` is `dryRun` here. */
  readonly options: { readonly [K in keyof O as Camel<K>]: Value<O[K]> }
}

type Camel<K> = K extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : K

type Value<T extends Option> = T extends { repeats: true }
  ? readonly string[]
  : T extends { value: string }
    ?
        | (T extends { choices: readonly (infer C)[] }
            ? C
            : T extends { number: object }
              ? number
              : string)
        | (T extends { default: string } ? never : undefined)
    : boolean

/** Runs a command as the whole process: reads the flags, answers `--help`, sets the exit status. */
export const main: <const O extends Options>(command: Command<O>) => void = async (
  command,
) => {
  // to put functions into others, V8 would compile for longer than a run of some seconds
  // gains by that; later versions of Node may not know the flag, and would say so
  if (Number.parseInt(process.versions.node, 10) <= 26)
    setFlagsFromString('--max-inlined-bytecode-size-cumulative=0')
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', endUnlessReaderLeft)
  const args = process.argv.slice(2)
  try {
    const input = parse(command, args)
    if (input === undefined) process.stdout.write(help(command))
    else process.exitCode = (await command.run(input)) ?? status.done
    // a signal that came while nothing could be heard is heard now: Node takes a turn to
    // fetch it, and one to tell
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  } catch (error) {
    process.exitCode = error instanceof UserError && error.answer ? status.no : status.failed
    reportFailure(error, command.name)
  }
}

/**
 * Ends the process when it is told to, with the status that shells give to it. What doesn't
 * wait is done before that: a snapshot that is being changed is whole then. Under npm, Ctrl-C
 * comes twice.
 */
export const endBySignal = (): void => {
  process.on('SIGINT', () => process.exit(130))
  process.on('SIGTERM', () => process.exit(143))
}

/**
 * A reader such as `head` may leave when it has seen enough: the answer is in the exit status
 * all the same.
 */
const endUnlessReaderLeft = (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  reportFailure(error, 'output')
  process.exit(status.failed)
}

/** What a command was given; `undefined` if it is to explain itself. */
const parse = <O extends Options>(
  command: Command<O>,
  args: string[],
): Input<O> | undefined => {
  const options = Object.entries(command.options)
  const kinds = options.map(([name, { value, repeats = false, default: unsaid }]) => [
    name,
    value === undefined
      ? { type: 'boolean' as const, default: false }
      : { type: 'string' as const, multiple: repeats, default: repeats ? [] : unsaid },
  ])
  const parsed = parseArgs({
    args,
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: { help: { type: 'boolean', short: 'h' }, ...Object.fromEntries(kinds) },
  })
  const { values, positionals } = parsed
  const tokens = parsed.tokens.filter((token) => token.kind === 'option')
  refuseLostOptions(command, { args, given: tokens.map(({ name }) => name), positionals })
  for (const token of tokens) if (token.name !== 'help') refuseOption(command, token)
  if (values.help) return undefined
  refuseOperands(command, positionals)
  const given = options.map(([name, { number }]) => [
    name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    number === undefined ? values[name] : Number(values[name]),
  ])
  return { operands: positionals, options: Object.fromEntries(given) as Input<O>['options'] }
}

type Usage = Omit<Command<Options>, 'run'>

const refused = (
  { name }: Usage,
  message: string,
  hint = `${name} --help lists the options`,
) => new UserError(message, { hint })

/** Refuses an option that the command doesn't have, and a value that the option can't have. */
const refuseOption = (
  command: Usage,
  token: {
    name: string
    rawName: string
    value?: string | undefined
    inlineValue?: boolean | undefined
  },
) => {
  const { name, rawName, value, inlineValue } = token
  if (!Object.hasOwn(command.options, name)) {
    const near = suggest(name, Object.keys(command.options))
    throw refused(command, `unknown option ${rawName}`, near && `did you mean --${near}?`)
  }
  const { value: placeholder, choices, number } = command.options[name]!
  if (placeholder === undefined) {
    if (value !== undefined) throw refused(command, `${rawName} takes no value`)
    return
  }
  if (!value || (!inlineValue && value.startsWith('--')))
    throw refused(command, `${rawName} needs a value`, `write ${rawName} ${placeholder}`)
  if (choices?.includes(value) === false) throw noSuch(name, value, choices)
  if (number === undefined || isNumber(value, number)) return
  const { takes, least, most } = number
  const hint = `write a number from ${least} to ${most}`
  throw refused(command, `${rawName} takes ${takes}, not ${quote(value)}`, hint)
}

/**
 * Refuses more operands than the command takes, or fewer; of alternatives it looks for what
 * is missing itself.
 */
const refuseOperands = (command: Usage, given: readonly string[]) => {
  const { name, operands = '', example = operands } = command
  const [usage = '', another] = operands.split(' | ')
  const words = usage.split(' ').filter(Boolean)
  const surplus = given[words.length]
  if (surplus !== undefined && !words.at(-1)?.includes('…'))
    throw refused(command, `unexpected ${quote(surplus)}`)
  const needed = another ? [] : words.filter((word) => !word.startsWith('['))
  const missing = needed[given.length]
  if (missing !== undefined)
    throw refused(command, `${missing} is missing`, `write ${name} ${example}`)
}

/** Of a name that is none of those that there are. */
export const noSuch = (kind: string, name: string, known: readonly string[]): UserError => {
  const near = suggest(name, known)
  const hint = near ? `did you mean ${near}?` : `choose one of ${known.join(', ')}`
  return new UserError(`there is no ${kind} ${quote(name)}`, { hint })
}

/**
 * Where `least` is a whole number, only whole numbers count; else those with up to three
 * decimals, too.
 */
const isNumber = (text: string, { least, most }: NonNullable<Option['number']>) =>
  (Number.isInteger(least) ? /^(?:0|[1-9][0-9]{0,8})$/ : /^\d{1,9}(?:\.\d{1,3})?$/).test(
    text,
  ) &&
  Number(text) >= least &&
  Number(text) <= most

/**
 * npm takes options that stand before `--` for its own, and a command would run without what
 * was asked for. It tells of them in the environment, unless a name of its own begins like
 * that: of `--format lines` only `lines` is left. PowerShell can drop the `--` itself.
 */
const refuseLostOptions = (
  { name: command, options }: Usage,
  { args, given, positionals }: Record<'args' | 'given' | 'positionals', readonly string[]>,
) => {
  const { npm_command: how, npm_lifecycle_event: script, ...env } = process.env
  if (how === 'exec' || script === undefined) return
  const words = [...args]
  const lost = Object.entries(options).flatMap(([name, { value, choices }]) => {
    const key = name.replace(/^no-/, '')
    const found = env[`npm_config_${key.toLowerCase().replaceAll('-', '_')}`]
    const isKept = found !== undefined && (found === '') === (key !== name)
    const left = positionals.find((word) => choices?.includes(word) ?? !positionals[1])
    if (given.includes(name) || !(isKept || (choices && left))) return []
    const flag = `--${name}`
    // of --out=x npm keeps the value, of --out x it leaves that among the operands
    if (value === undefined) words.push(flag)
    else if (found && found !== 'true') words.push(flag, found)
    else if (left) words.splice(words.lastIndexOf(left), 0, flag)
    else words.push(flag, value)
    return [flag]
  })
  if (lost.length === 0) return
  const line = [command, ...words.map(shellWord)].join(' ')
  throw new UserError(
    `npm kept ${lost.join(', ')} for itself: "--" is missing in front, or the shell dropped it`,
    { hint: `write ${line} in place of npm run ${script}` },
  )
}

/** A word as a shell takes it. */
export const shellWord = (text: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`
}

/** The text of `--help`, at most 80 columns wide. */
const help = ({ name, summary, operands, options, notes = [] }: Usage) => {
  const rows = Object.entries({ ...options, help: showHelp }).map(
    ([flag, { value, choices, default: unsaid, description }]) => {
      const choice = choices === undefined ? '' : `: ${choices.join(', ')}`
      const otherwise = unsaid === undefined ? '' : ` (default: ${unsaid})`
      return [
        `  --${[flag, value].join(' ').trim()}`,
        description + choice + otherwise,
      ] as const
    },
  )
  const width = Math.max(...rows.map(([flag]) => flag.length)) + 2
  return [
    ...hang('', `${name}: ${summary}`, 80),
    '',
    `  ${[name, operands].join(' ').trim()} [options]`,
    '',
    ...rows.flatMap(([flag, text]) => hang(flag.padEnd(width), text, 80)),
    ...(notes.length === 0 ? [] : ['']),
    ...notes.flatMap((note) => hang('', note, 80)),
    '',
  ].join('\n')
}

const showHelp: Option = { description: 'show this text' }

const common = {
  content: { value: 'DIR', default: 'content', description: 'the content folder' },
  out: { value: 'DIR', default: 'dist', description: 'the snapshot' },
  state: {
    value: 'DIR',
    description:
      'where builds keep what they need, in a folder for each snapshot (default: .shotpress beside the snapshot)',
  },
  shard: {
    value: 'I/N',
    description: 'only the members of shard I of N; npx shotpress merge puts all together',
  },
  'allow-removal': { description: 'go on where most of the members would be removed' },
  published: {
    value: 'TIME',
    description:
      'say in published.json that the snapshot is published then, such as "$(date -u +%FT%TZ)"',
  },
  commit: { value: 'TEXT', description: 'with --published: the commit that it is made from' },
  format: {
    value: 'FORMAT',
    choices: Object.keys(formats) as readonly FormatName[],
    default: 'pretty',
    description: 'how to print what is wrong',
  },
  output: { value: 'FILE', description: 'write the result to this file, not to stdout' },
} as const

/** Options that several commands share: `...shared('content', 'out')`. */
export const shared = <K extends keyof typeof common>(
  ...names: readonly K[]
): Pick<typeof common, K> =>
  Object.fromEntries(names.map((name) => [name, common[name]])) as Pick<typeof common, K>
