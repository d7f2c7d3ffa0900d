import { type Field, formats, shotFields, userFields } from '../fields.ts'
import { shotsRoute, userRoute } from '../outputs/profiles.ts'
import { shotsLimit } from '../records.ts'
import { errors } from '../route.ts'
import { exampleShot, exampleUser } from './example.ts'

/** A JSON Schema, draft 2020-12. */
type Schema = { readonly [keyword: string]: unknown }

const always = 'Every value is a string, and every field is always there.'

/** Schemas of the bodies, by the names that they have in the OpenAPI document. */
export const bodySchemas = () => ({
  User: {
    title: 'User',
    description: `The answer of ${userRoute.path}: the profile of one member. ${always}`,
    ...record(userFields, exampleUser()),
  },
  Shot: {
    title: 'Shot',
    description: `One published work of a member. ${always}`,
    ...record(shotFields, exampleShot()),
  },
  Shots: {
    title: 'Shots',
    description: `The answer of ${shotsRoute.path}: the newest ${shotsLimit} shots of one member, newest first; equal dates by id, highest first.`,
    ...closed({
      Shots: {
        description: 'Newest first; empty for a member without published shots.',
        type: 'array',
        maxItems: shotsLimit,
        items: { $ref: '#/components/schemas/Shot' },
      },
    }),
  },
  NotFound: {
    title: 'Error',
    description: 'What is asked for is not there.',
    ...closed(
      mapped(JSON.parse(errors.notFound.body), (value: string) => ({
        type: 'string',
        const: value,
      })),
    ),
  },
})

/** An object with these keys, and no others. */
const closed = <T extends object>(properties: T) => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
})

const record = (
  fields: Readonly<Record<string, Field>>,
  example: Readonly<Record<string, string>>,
) => closed(mapped(fields, (field, name) => property(field, example[name]!)))

/** An object with the same keys, and other values. */
export const mapped = <K extends string, T, U>(
  values: Readonly<Record<K, T>>,
  change: (value: T, key: K) => U,
) =>
  Object.fromEntries(
    Object.entries<T>(values).map(([key, value]) => [key, change(value, key as K)]),
  )

const property = ({ format, holds, from }: Field, example: string): Schema => {
  const { pattern, words } = formats[format]
  return {
    description: [holds, words, `from ${from}`].map(sentence).join(' ').replaceAll('`', ''),
    type: 'string',
    ...(pattern !== undefined && { pattern }),
    examples: [example],
  }
}

const sentence = (phrase: string) => `${phrase[0]!.toUpperCase()}${phrase.slice(1)}.`
