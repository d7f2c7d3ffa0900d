import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { readFile } from '../files/folder.ts'
import { UserError } from '../problems/diagnostic.ts'
import { jsonIn } from '../text/json.ts'
import { quote } from '../text/printable.ts'
import type { Difference } from './compare.ts'
import type { Report } from './report.ts'

const require = createRequire(import.meta.url)

/**
 * Reads what `--format json` printed, perhaps for somebody who is not to be trusted: the data is theirs, the words
 * that a format makes of it are ours. What doesn't fit schemas/report.schema.json is refused.
 */
export const readReport = (file: string): Report => {
  const { dir, base } = path.parse(path.resolve(file))
  const bytes = base === '' ? undefined : readFile(dir, base, { limit: 50 << 20 })
  if (bytes === undefined) {
    throw new UserError(`there is no report in ${quote(file)}`, {
      hint: 'name a plain file of 50 MiB at most, which npm run report -- --format json has made',
    })
  }
  const { Ajv } = require('ajv') as typeof import('ajv')
  const schema = fs.readFileSync(new URL('../../schemas/report.schema.json', import.meta.url), 'utf8')
  const read = jsonIn(bytes.toString('utf8'))
  if (new Ajv().validate(JSON.parse(schema), read))
    return { ...(read as Difference), before: new Map(), after: new Map(), diagnostics: [] }
  throw new UserError(`${quote(file)} is not a report`, {
    hint: 'make it with npm run report -- --format json',
  })
}
