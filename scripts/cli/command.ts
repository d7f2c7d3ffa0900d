import { parseArgs } from 'node:util'
import { UserError } from '../problems/user-error.ts'
import { quote } from '../text/printable.ts'
import { suggest } from '../text/suggest.ts'
import { reportFailure } from './failure.ts'
import { help, typed } from './help.ts'
import { hintOfLost, refuseLostOptions, type Started } from './npm.ts'

/** Process exit status: done; it found problems; it could not run. */
export const status = { done: 0, no: 1, failed: 2 } as const
export type Status = (typeof status)[keyof typeof status]

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

export type Command<O extends Options> = {
  /** How people call it: `npm run build`. */
  readonly name: string
  /** One sentence, without a final period. */
  readonly summary: string
  /** Operands in `--help`, such as `URL [URL]` or `DIR…`; more than it says, or any without it, are refused. */
  readonly operands?: string
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
        | (T extends { choices: readonly (infer C)[] } ? C : T extends { number: object } ? number : string)
        | (T extends { default: string } ? never : undefined)
    : boolean

/** Runs a command as the whole process: reads the flags, answers `--help`, sets the exit status. */
export const main = <const O extends Options>(command: Command<O>): void => {
  void run(command)
}

const run = async <const O extends Options>(command: Command<O>): Promise<void> => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endUnlessReaderLeft)
  const started: Started = { args: process.argv.slice(2), env: process.env }
  try {
    refuseLostOptions(command.options, started)
    const { help: wanted, ...input } = parse(command, started)
    if (wanted) process.stdout.write(help(command))
    else process.exitCode = (await command.run(input)) ?? status.done
    // a signal that came while nothing could be heard is heard now: Node takes a turn to fetch it, and one to tell
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  } catch (error) {
    const isAnswer = error instanceof UserError && error.answer
    process.exitCode = isAnswer ? status.no : status.failed
    const hint = isAnswer ? undefined : hintOfLost(command.options, started, { isWrong: false })
    const isOurs = !(error instanceof UserError)
    reportFailure(hint === undefined || isOurs ? error : new UserError(error.message, { hint }), command.name)
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

const parse = <O extends Options>(command: Command<O>, started: Started) => {
  const { values, positionals, tokens } = parseArgs({
    args: [...started.args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(
        Object.entries(command.options).map(([name, { value, repeats = false, default: unsaid }]) => [
          name,
          value === undefined
            ? { type: 'boolean' as const, default: false }
            : { type: 'string' as const, multiple: repeats, default: repeats ? [] : unsaid },
        ]),
      ),
    },
  })
  const refused = (message: string, hint = `${typed(command.name)} --help lists the options`): UserError =>
    new UserError(message, { hint })
  for (const token of tokens) {
    if (token.kind !== 'option' || token.name === 'help') continue
    const { name, rawName, value, inlineValue } = token
    const option = command.options[name]
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
      const near = suggest(value, choices)
      const hint = near ? `did you mean ${near}?` : `choose one of ${choices.join(', ')}`
      throw refused(`there is no ${name} ${quote(value)}`, hint)
    } else if (number !== undefined && !isNumber(value, number)) {
      const { takes, least, most } = number
      throw refused(
        `${rawName} takes ${takes}, not ${quote(value)}`,
        `write a number from ${least} to ${most}`,
      )
    }
  }
  const surplus = positionals[mostOperands(command.operands)]
  if (surplus !== undefined && !values.help)
    throw refused(`unexpected ${quote(surplus)}`, hintOfLost(command.options, started, { isWrong: true }))
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { number }]) => [
      name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      number === undefined ? values[name] : Number(values[name]),
    ]),
  )
  return { help: values.help === true, operands: positionals, options: options as Input<O>['options'] }
}

/** Whole numbers where the least is one, else with up to three decimals. */
const isNumber = (text: string, { least, most }: NonNullable<Option['number']>): boolean =>
  (Number.isInteger(least) ? /^(?:0|[1-9][0-9]{0,8})$/ : /^\d{1,9}(?:\.\d{1,3})?$/).test(text) &&
  Number(text) >= least &&
  Number(text) <= most

/** How many operands `URL [URL]`, `DIR…` or `member NAME | shot NAME --title TEXT` allows: alternatives take as many. */
const mostOperands = (usage: string | undefined): number => {
  if (usage === undefined) return 0
  return usage.includes('…') ? Number.POSITIVE_INFINITY : usage.split(' | ')[0]!.split(' ').length
}
