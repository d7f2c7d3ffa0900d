import { parseArgs } from 'node:util'
import { UserError } from '../problems/user-error.ts'
import { suggest } from '../text/suggest.ts'
import { reportFailure } from './failure.ts'
import { help } from './help.ts'
import type { Environment } from './terminal.ts'

/** Process exit status: done; it found problems; it could not run. */
export const status = { done: 0, no: 1, failed: 2 } as const
export type Status = (typeof status)[keyof typeof status]

export type Option = {
  /** The placeholder of the value in `--help` (`DIR`); an option without one is a switch. */
  readonly value?: string
  readonly default?: string
  /** Whether it may be given several times; then its value is a list. */
  readonly repeats?: true
  readonly description: string
}

export type Command<O extends Readonly<Record<string, Option>>> = {
  /** How people call it: `npm run build`. */
  readonly name: string
  /** One sentence, without a final period. */
  readonly summary: string
  /** Operands in `--help`, such as `URL [URL]`; without it none are taken. */
  readonly operands?: string
  readonly options: O
  /** Lines shown below the options in `--help`. */
  readonly notes?: readonly string[]
  readonly run: (input: Input<O>) => Promise<Status>
}

export type Input<O extends Readonly<Record<string, Option>>> = {
  readonly operands: readonly string[]
  readonly options: { readonly [K in keyof O]: Value<O[K]> }
}

type Value<T extends Option> = T extends { repeats: true }
  ? readonly string[]
  : T extends { value: string }
    ? T extends { default: string }
      ? string
      : string | undefined
    : boolean

/** Runs a command as the whole process: reads the flags, answers `--help`, sets the exit status. */
export const main = <const O extends Readonly<Record<string, Option>>>(command: Command<O>): void => {
  void run(command)
}

const run = async <const O extends Readonly<Record<string, Option>>>(command: Command<O>): Promise<void> => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endUnlessReaderLeft)
  try {
    const args = process.argv.slice(2)
    refuseLostOptions(command, { args, env: process.env })
    const { help: wanted, ...input } = parse(command, args)
    if (wanted) process.stdout.write(help(command))
    else process.exitCode = await command.run(input)
    // a signal that came while nothing could be heard is heard now: Node takes a turn to fetch it, and one to tell
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  } catch (error) {
    process.exitCode = error instanceof UserError && error.answer ? status.no : status.failed
    reportFailure(error, command.name)
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

type Anyhow = Pick<Command<Readonly<Record<string, Option>>>, 'options'>

/**
 * npm takes options that stand before `--` for its own, and only tells of them in the environment: a command would run
 * without what was asked for. PowerShell can drop the `--` itself.
 */
const refuseLostOptions = (
  { options }: Anyhow,
  { args, env }: { readonly args: readonly string[]; readonly env: Environment },
): void => {
  const { npm_lifecycle_event: script, npm_command: how } = env
  if (script === undefined || how === 'exec') return
  const isGiven = (name: string): boolean =>
    args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
  const lost = Object.entries(options).flatMap(([name, { value }]) => {
    const [, not, key] = /^(no-)?(.*)/.exec(name) as unknown as [string, string | undefined, string]
    const found = env[`npm_config_${key.toLowerCase().replaceAll('-', '_')}`]
    if (found === undefined || isGiven(name) || (found === '') !== (not !== undefined)) return []
    return [{ name, placeholder: value, value: not !== undefined || found === 'true' ? undefined : found }]
  })
  if (lost.length === 0) return
  // a value that followed its option without `=` stands among the operands, and of several nobody knows whose it is
  const apart = lost.filter(({ placeholder, value }) => placeholder !== undefined && value === undefined)
  const words = args.slice(0, Math.max(0, args.length - apart.length))
  const values = args.slice(words.length)
  const typed = lost.flatMap(({ name, placeholder, value }) => {
    if (placeholder === undefined) return [...(value === undefined ? [] : [shellWord(value)]), `--${name}`]
    if (value !== undefined) return [`--${name}`, shellWord(value)]
    return [`--${name}`, values.length === 1 && apart.length === 1 ? shellWord(values[0]!) : placeholder]
  })
  const names = lost.map(({ name }) => `--${name}`).join(', ')
  const line = ['npm run', script, '--', ...words.map(shellWord), ...typed].join(' ')
  throw new UserError(`npm kept ${names} for itself: "--" is missing in front, or the shell dropped it`, {
    hint: `write ${line}${process.platform === 'win32' ? ' (in PowerShell with "--" in quotes)' : ''}`,
  })
}

const shellWord = (text: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`
}

const parse = <O extends Readonly<Record<string, Option>>>(command: Command<O>, args: readonly string[]) => {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(
        Object.entries(command.options).map(([name, option]) => [
          name,
          {
            type: option.value === undefined ? ('boolean' as const) : ('string' as const),
            multiple: option.repeats === true,
          },
        ]),
      ),
    },
  })
  for (const token of tokens) {
    if (token.kind !== 'option' || token.name === 'help') continue
    const option = command.options[token.name]
    if (option === undefined) {
      const near = suggest(token.name, Object.keys(command.options))
      throw usage(command, `unknown option ${token.rawName}`, near && `did you mean --${near}?`)
    }
    if (option.value === undefined && token.value !== undefined) {
      throw usage(command, `${token.rawName} takes no value`)
    }
    if (option.value !== undefined && (token.value === undefined || token.value === '')) {
      throw usage(command, `${token.rawName} needs a value`, `write ${token.rawName} ${option.value}`)
    }
    if (option.value !== undefined && !token.inlineValue && token.value!.startsWith('--')) {
      throw usage(command, `${token.rawName} needs a value`, `write ${token.rawName} ${option.value}`)
    }
  }
  if (positionals.length > 0 && command.operands === undefined) {
    throw usage(command, `unexpected "${positionals[0]}"`, 'options begin with --; npm wants -- before them')
  }
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, option]) => [
      name,
      values[name] ?? (option.repeats ? [] : option.value === undefined ? false : option.default),
    ]),
  )
  return { help: values.help === true, operands: positionals, options: options as Input<O>['options'] }
}

const usage = (command: { readonly name: string }, message: string, hint?: string): UserError =>
  new UserError(message, { hint: hint ?? `${command.name} -- --help lists the options` })
