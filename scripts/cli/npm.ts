import { UserError } from '../problems/user-error.ts'
import { suggest } from '../text/suggest.ts'
import type { Options } from './command.ts'
import type { Environment } from './terminal.ts'

/** How the process was started: its arguments, and what npm left in the environment. */
export type Started = { readonly args: readonly string[]; readonly env: Environment }

/**
 * npm takes options that stand before `--` for its own, and only tells of them in the environment: a command would run
 * without what was asked for. PowerShell can drop the `--` itself.
 */
export const refuseLostOptions = (options: Options, { args, env }: Started): void => {
  const script = scriptOf(env)
  if (script === undefined) return
  const lost = Object.entries(options).flatMap(([name, { value }]) => {
    const [, not, key] = /^(no-)?(.*)/.exec(name) as unknown as [string, string | undefined, string]
    const found = env[`npm_config_${key.toLowerCase().replaceAll('-', '_')}`]
    if (found === undefined || isGiven(name, args) || (found === '') !== (not !== undefined)) return []
    return [{ name, placeholder: value, value: not !== undefined || found === 'true' ? undefined : found }]
  })
  if (lost.length === 0) return
  // a value that followed its option without `=` stands among the operands, and of several nobody knows whose it is
  const apart = lost.filter(({ placeholder, value }) => placeholder !== undefined && value === undefined)
  const words = args.slice(0, Math.max(0, args.length - apart.length))
  const values = args.slice(words.length)
  const typed = lost.flatMap(({ name, placeholder, value }) => {
    if (placeholder === undefined) return [...(value === undefined ? [] : [value]), `--${name}`]
    if (value !== undefined) return [`--${name}`, value]
    return [`--${name}`, values.length === 1 && apart.length === 1 ? values[0]! : placeholder]
  })
  const names = lost.map(({ name }) => `--${name}`).join(', ')
  throw new UserError(`npm kept ${names} for itself: "--" is missing in front, or the shell dropped it`, {
    hint: write(script, [...words, ...typed]),
  })
}

/** npm takes these for short forms of options of its own, says nothing, and leaves their values among the operands. */
const untold = ['format', 'description']

/** What to type if the last operand is the value of such an option; with `isWrong`, also if it is nearly one of its choices. */
export const hintOfLost = (
  options: Options,
  { args, env }: Started,
  { isWrong }: { readonly isWrong: boolean },
): string | undefined => {
  const script = scriptOf(env)
  const [value, name] = [args.at(-1), untold.find((one) => one in options && !isGiven(one, args))]
  if (script === undefined || value === undefined || name === undefined) return undefined
  const { choices } = options[name]!
  const fits = choices?.includes(value) || (isWrong && (!choices || suggest(value, choices) !== undefined))
  if (!fits) return undefined
  return `did you forget "--"? ${write(script, [...args.slice(0, -1), `--${name}`, value])}`
}

const scriptOf = ({ npm_lifecycle_event: script, npm_command: how }: Environment): string | undefined =>
  how === 'exec' ? undefined : script

const isGiven = (name: string, args: readonly string[]): boolean =>
  args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))

const write = (script: string, words: readonly string[]): string =>
  `write npm run ${[script, '--', ...words.map(shellWord)].join(' ')}${process.platform === 'win32' ? ' (in PowerShell with "--" in quotes)' : ''}`

const shellWord = (text: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`
}
