import fs from 'node:fs'
import { _, Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { ajvOptions, digestOf, type SchemaName } from '../scripts/content/schema.ts'

const names: readonly SchemaName[] = ['profile', 'shot', 'site']

/** The text of compiled.cjs: for each schema the code that ajv makes of it, as a function of the formats. */
export const compileSchemas = (): string => {
  const schemas = names.map((name) => {
    const text = fs.readFileSync(new URL(`${name}.schema.json`, import.meta.url), 'utf8')
    const ajv = new Ajv({ ...ajvOptions, code: { source: true, formats: _`formats` } })
    for (const format of formatsIn(JSON.parse(text))) ajv.addFormat(format, () => true)
    const code = standalone.default(ajv, ajv.compile(JSON.parse(text)))
    return `exports.${name} = { digest: '${digestOf(text)}', create: (formats) => { const module = {}; ${code}; return module.exports } }\n`
  })
  return ['// Made from the schemas by npm run schemas.\n', ...schemas].join('')
}

/** The formats that a schema names, at any depth. */
const formatsIn = (schema: object): string[] =>
  Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'format' && typeof value === 'string') return [value]
    return typeof value === 'object' && value !== null ? formatsIn(value) : []
  })

export const compiledFile = new URL('compiled.cjs', import.meta.url)
