import { Ajv } from 'ajv'
import { readJson } from '../sandbox.ts'

/** Checks typed data as an editor does: against the schema alone, knowing none of its formats. */
export const editorCheck = (name: string): ((data: unknown) => readonly string[]) => {
  const schema = readJson(`schemas/${name}.schema.json`)
  const validate = new Ajv({
    strict: false,
    validateFormats: false,
    allErrors: true,
  }).compile(schema)
  return (data) =>
    validate(data)
      ? []
      : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`)
}
