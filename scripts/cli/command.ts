import { parseArgs } from 'node:util'
import { UserError } from '../problems/diagnostic.ts'
import { type FormatName, formats } from '../problems/formats.ts'
import { wrap } from '../text/cells.ts'
import { quote } from '../text/printable.ts'
import { suggest } from '../text/suggest.ts'
import { reportFailure, type Status, status } from './output.ts'

export type Option = {
  /** The placeholder of the value in `--help` (`DIR`); an option without one is a switch. */
  readonly value?: string
  /** What the value may be; anything, if they are left out. */
  readonly choices?: readonly string[]
  /** Of a value that is a number: what it counts (`a number of members`), and the least and the most that it may be. */
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
  /** Operands in `--help`, such as `URL [URL]` or `DIR…`: fewer or more than it says are refused. */
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

type Camel<K> = K extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : K

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
export const main: <const O extends Options>(command: Command<O>) => void = async (command) => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endUnlessReaderLeft)
  const args = process.argv.slice(2)
  try {
    refuseLostOptions(command.options, args)
    const input = parse(command, args)
    if (input === undefined) process.stdout.write(help(command))
    else process.exitCode = (await command.run(input)) ?? status.done
    // a signal that came while nothing could be heard is heard now: Node takes a turn to fetch it, and one to tell
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  } catch (error) {
    const refusal = error instanceof UserError ? error : undefined
    process.exitCode = refusal?.answer ? status.no : status.failed
    const hint = refusal?.answer ? undefined : hintOfLost(command.options, args)
    reportFailure(refusal && hint ? new UserError(refusal.message, { hint }) : error, command.name)
  }
}

/**
 * Ends the process when it is told to, with the status that shells give to it. What doesn't wait is done before that:
 * a snapshot that is being changed is whole then. Under npm, Ctrl-C comes twice.
 */
export const endBySignal = (): void => {
  process.on('SIGINT', () => process.exit(130))
  process.on('SIGTERM', () => process.exit(143))
}

/** A reader such as `head` may leave when it has seen enough: the answer is in the exit status all the same. */
const endUnlessReaderLeft = (error: NodeJS.ErrnoException): void => {
  if (error.code === 'EPIPE') return
  reportFailure(error, 'output')
  process.exit(status.failed)
}

/** What a command was given; `undefined` if it is to explain itself. */
const parse = <O extends Options>(command: Command<O>, args: string[]): Input<O> | undefined => {
  const { values, positionals, tokens } = parseArgs({
    args,
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(
        Object.entries(command.options).map(
          ([name, { value, repeats = false, default: unsaid }]) => [
            name,
            value === undefined
              ? { type: 'boolean' as const, default: false }
              : { type: 'string' as const, multiple: repeats, default: repeats ? [] : unsaid },
          ],
        ),
      ),
    },
  })
  const refused = (message: string, hint = `${command.name} --help lists the options`): UserError =>
    new UserError(message, { hint })
  for (const token of tokens) {
    if (token.kind !== 'option' || token.name === 'help') continue
    const { name, rawName, value, inlineValue } = token
    const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined
    if (option === undefined) {
      const near = suggest(name, Object.keys(command.options))
      throw refused(`unknown option ${rawName}`, near && `did you mean --${near}?`)
    }
    const { value: placeholder, choices, number } = option
    if (placeholder === undefined) {
      if (value !== undefined) throw refused(`${rawName} takes no value`)
    } else if (!value || (!inlineValue && value.startsWith('--'))) {
      throw refused(`${rawName} needs a value`, `write ${rawName} ${placeholder}`)
    } else if (choices?.includes(value) === false) {
      throw noSuch(name, value, choices)
    } else if (number !== undefined && !isNumber(value, number)) {
      const { takes, least, most } = number
      throw refused(
        `${rawName} takes ${takes}, not ${quote(value)}`,
        `write a number from ${least} to ${most}`,
      )
    }
  }
  if (values.help) return undefined
  // alternatives take as many operands, and the command itself asks for them
  const [usage = '', another] = command.operands?.split(' | ') ?? []
  const words = usage.split(' ').filter(Boolean)
  const surplus = positionals[words.length]
  if (surplus !== undefined && !words.at(-1)?.includes('…'))
    throw refused(`unexpected ${quote(surplus)}`)
  const missing = (another ? [] : words.filter((word) => !word.startsWith('[')))[positionals.length]
  if (missing !== undefined) {
    const line = `${command.name} ${command.example ?? command.operands}`
    throw refused(`${missing} is missing`, `write ${line}`)
  }
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { number }]) => [
      name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      number === undefined ? values[name] : Number(values[name]),
    ]),
  )
  return { operands: positionals, options: options as Input<O>['options'] }
}

/** Of a name that is none of those that there are. */
export const noSuch = (kind: string, name: string, known: readonly string[]): UserError => {
  const near = suggest(name, known)
  const hint = near ? `did you mean ${near}?` : `choose one of ${known.join(', ')}`
  return new UserError(`there is no ${kind} ${quote(name)}`, { hint })
}

/** Where `least` is a whole number, only whole numbers count; else those with up to three decimals, too. */
const isNumber = (text: string, { least, most }: NonNullable<Option['number']>): boolean =>
  (Number.isInteger(least) ? /^(?:0|[1-9][0-9]{0,8})$/ : /^\d{1,9}(?:\.\d{1,3})?$/).test(text) &&
  Number(text) >= least &&
  Number(text) <= most

/**
 * npm takes options that stand before `--` for its own, and only tells of them in the environment: a command would run
 * without what was asked for. PowerShell can drop the `--` itself.
 */
const refuseLostOptions = (options: Options, args: readonly string[]): void => {
  const { env } = process
  const script = scriptOf()
  if (script === undefined) return
  const lost = Object.entries(options).flatMap(([name, { value: placeholder }]) => {
    const key = name.replace(/^no-/, '')
    const isNo = key !== name
    const found = env[`npm_config_${key.toLowerCase().replaceAll('-', '_')}`]
    if (found === undefined || isGiven(name, args) || (found === '') !== isNo) return []
    return [{ name, placeholder, value: isNo || found === 'true' ? undefined : found }]
  })
  if (lost.length === 0) return
  // a value that followed its option without `=` stands among the operands, and of several nobody knows whose it is
  const apart = lost.filter(
    ({ placeholder, value }) => placeholder !== undefined && value === undefined,
  )
  const words = args.slice(0, Math.max(0, args.length - apart.length))
  const [own] = apart.length === 1 ? args.slice(words.length) : []
  const flags = lost.flatMap(({ name, placeholder, value }) => {
    if (placeholder !== undefined) return [`--${name}`, value ?? own ?? placeholder]
    return value === undefined ? [`--${name}`] : [value, `--${name}`]
  })
  const names = lost.map(({ name }) => `--${name}`).join(', ')
  throw new UserError(
    `npm kept ${names} for itself: "--" is missing in front, or the shell dropped it`,
    {
      hint: lineFor(script, [...words, ...flags]),
    },
  )
}

/** What to type if the last operand is a format: npm takes `--format` for one of its own options, and doesn't tell of it. */
const hintOfLost = ({ format }: Options, args: readonly string[]): string | undefined => {
  const script = scriptOf()
  const value = args.at(-1) ?? ''
  if (script === undefined || !format?.choices?.includes(value) || isGiven('format', args))
    return undefined
  return `did you forget "--"? ${lineFor(script, [...args.slice(0, -1), '--format', value])}`
}

const scriptOf = (
  { npm_lifecycle_event: script, npm_command: how } = process.env,
): string | undefined => (how === 'exec' ? undefined : script)

const isGiven = (name: string, args: readonly string[]): boolean =>
  args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))

const lineFor = (script: string, words: readonly string[]): string =>
  `write npx shotpress ${[script, ...words.map(shellWord)].join(' ')}`

/** A word as a shell takes it. */
export const shellWord = (text: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`
}

/** The text of `--help`, at most 80 columns wide. */
const help = (command: Omit<Command<Options>, 'run'>): string => {
  const options = Object.entries({
    ...command.options,
    help: { description: 'show this text' } as Option,
  })
  const rows = options.map(([name, option]) => [
    `--${name}${option.value === undefined ? '' : ` ${option.value}`}`,
    option.description +
      (option.choices === undefined ? '' : `: ${option.choices.join(', ')}`) +
      (option.default === undefined ? '' : ` (default: ${option.default})`),
  ]) as [string, string][]
  const width = Math.max(...rows.map(([flag]) => flag.length)) + 4
  return [
    ...fill(`${command.name}: ${command.summary}`, ''),
    '',
    `  ${command.name}${command.operands === undefined ? '' : ` ${command.operands}`} [options]`,
    '',
    ...rows.flatMap(([flag, text]) => fill(text, `  ${flag}`.padEnd(width))),
    ...(command.notes === undefined
      ? []
      : ['', ...command.notes.flatMap((note) => fill(note, ''))]),
    '',
  ].join('\n')
}

/** Breaks text at 80 columns; the first line begins with `lead`, the others are indented as far. */
const fill = (text: string, lead: string): readonly string[] =>
  wrap(text, 80 - lead.length).map((line, at) => (at === 0 ? lead : ' '.repeat(lead.length)) + line)

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
