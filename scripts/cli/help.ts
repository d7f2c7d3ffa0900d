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
const fill = (text: string, lead: string): string[] => {
  const lines: string[] = []
  let line = lead
  for (const word of text.split(' ')) {
    if (line.length > lead.length && line.length + 1 + word.length > 80) {
      lines.push(line)
      line = ' '.repeat(lead.length)
    }
    line += (line.length > lead.length ? ' ' : '') + word
  }
  return [...lines, line]
}
