import { wrap } from '../text/cells.ts'
import type { Command, Option, Options } from './command.ts'

/** The text of `--help`, at most 80 columns wide. */
export const help = (command: Omit<Command<Options>, 'run'>): string => {
  const options = Object.entries({ ...command.options, help: { description: 'show this text' } as Option })
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
    `  ${typed(command.name)}${command.operands === undefined ? '' : ` ${command.operands}`} [options]`,
    '',
    ...rows.flatMap(([flag, text]) => fill(text, `  ${flag}`.padEnd(width))),
    ...(command.notes === undefined ? [] : ['', ...command.notes.flatMap((note) => fill(note, ''))]),
    '',
  ].join('\n')
}

/** What stands before the options: only npm wants `--` there. */
export const typed = (name: string): string => (name.startsWith('npm ') ? `${name} --` : name)

/** Breaks text at 80 columns; the first line begins with `lead`, the others are indented as far. */
const fill = (text: string, lead: string): readonly string[] =>
  wrap(text, 80 - lead.length).map((line, at) => (at === 0 ? lead : ' '.repeat(lead.length)) + line)
