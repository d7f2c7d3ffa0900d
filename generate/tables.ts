import { exampleShot, exampleUser } from '../scripts/api/document/example.ts'
import { type Field, formats, shotFields, userFields } from '../scripts/api/fields.ts'
import { causes } from '../scripts/verify/causes.ts'

/** What docs/api.md tells of the fields: tables, and an answer of each operation. */
export const apiTables = (): Readonly<Record<string, string>> => ({
  userExample: fenced(exampleUser()),
  userFields: table(userFields),
  shotsExample: fenced({ Shots: [exampleShot()] }),
  shotFields: table(shotFields),
})

const table = (fields: Readonly<Record<string, Field>>): string =>
  [
    '\n| field | holds | format | comes from |',
    '|---|---|---|---|',
    ...Object.entries(fields).map(
      ([name, { holds, format, from }]) =>
        `| \`${name}\` | ${holds} | ${formats[format].words} | ${from} |`,
    ),
    '\n',
  ].join('\n')

const fenced = (answer: object): string =>
  `\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\n\n`

/** Every cause that verify names, in its order. */
export const causeTable = (): string => {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '\\*')
  const rows = Object.entries(causes).map(
    ([name, { severity, message, hint }]) =>
      `| \`${name}\`${severity === 'warning' ? ' (warning)' : ''} | ${cell(message)} | ${cell(hint)} |\n`,
  )
  return `| cause | what is wrong | what to change |\n|---|---|---|\n${rows.join('')}`
}
