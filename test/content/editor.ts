import fs from 'node:fs'
import { Ajv } from 'ajv'

/** Checks typed data as an editor does: against the schema alone, knowing none of its formats. */
export const editorCheck = (name: string): ((data: unknown) => readonly string[]) => {
  const schema = JSON.parse(
    fs.readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8'),
  )
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
    schema,
  )
  return (data) =>
    validate(data)
      ? []
      : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`)
}
