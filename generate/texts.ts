import fs from 'node:fs'
import { exampleSite } from '../scripts/api/document/example.ts'
import { renderDocument } from '../scripts/api/document/openapi.ts'
import { documentOf } from '../scripts/api/outputs.ts'
import { clientInJavaScript, clientParts, clientTypes } from './client.ts'
import { apiPage } from './page.ts'
import { fillRegions } from './region.ts'
import { schemaFiles } from './schemas.ts'
import { snippets } from './snippets.ts'
import { apiTables, causeTable } from './tables.ts'

/**
 * Every text of the repository that is made from the API's tables or the schemas, by its path
 * from the repository's root: whole files, and files of people with made parts in them. They
 * are about an example, so that a fork's content doesn't matter.
 */
export const madeTexts = (root: URL): ReadonlyMap<string, string> => {
  const read = (path: string): string => fs.readFileSync(new URL(path, root), 'utf8')
  const client = fillRegions(read('clients/shotpress.ts'), clientParts())
  const document = documentOf(exampleSite)
  return new Map([
    ...Object.entries(schemaFiles()).map(
      ([name, schema]) => [`schemas/api/${name}`, renderDocument(schema)] as const,
    ),
    ['schemas/api/openapi.json', renderDocument(document)],
    ['docs/api.md', fillRegions(read('docs/api.md'), apiTables())],
    ['docs/api.html', apiPage(document)],
    ['docs/verify.md', fillRegions(read('docs/verify.md'), { causes: causeTable() })],
    ['.vscode/content.code-snippets', snippets()],
    ['clients/shotpress.ts', client],
    ['clients/shotpress.js', clientInJavaScript(client)],
    ['clients/shotpress.d.ts', clientTypes(client)],
  ])
}
