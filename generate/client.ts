import ts from 'typescript'
import { type Field, formats, shotFields, userFields } from '../scripts/api/fields.ts'
import { prefix } from '../scripts/api/routes.ts'

/** What the client takes from the API's tables: the types of the records, and the paths. */
export const clientParts = (): Readonly<Record<string, string>> => ({
  types: `
/** The profile of a member. */
${type('Profile', userFields)}

/** One published work of a member. */
${type('Shot', shotFields)}

const prefix = '${prefix}'
const usernames = /${formats.username.pattern}/
`,
})

/** The client as JavaScript, for pages that have no build. */
export const clientInJavaScript = (client: string): string =>
  ts.transpileModule(client, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      removeComments: false,
    },
  }).outputText

/** The types of the client, for who takes it from the package. */
export const clientTypes = (client: string): string =>
  ts.transpileDeclaration(client, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, strict: true },
  }).outputText

const type = (name: string, fields: Readonly<Record<string, Field>>): string =>
  [
    `export type ${name} = {`,
    ...Object.entries(fields).flatMap(([field, { holds, format }]) => [
      `  /** ${sentence(holds)} ${sentence(formats[format].words)} */`,
      `  readonly ${field}: string`,
    ]),
    '}',
  ].join('\n')

const sentence = (phrase: string): string => `${phrase[0]!.toUpperCase()}${phrase.slice(1)}.`
