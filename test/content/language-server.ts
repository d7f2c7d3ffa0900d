import fs from 'node:fs'
import { pathToFileURL } from 'node:url'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { getLanguageService, type LanguageService } from 'yaml-language-server'

export type Editor = {
  /** `line:column message` of everything that is underlined. */
  readonly underlined: (text: string) => Promise<readonly string[]>
  /** What is shown with the pointer on the first occurrence of a text. */
  readonly hover: (text: string, at: string) => Promise<string>
  /** The keys offered on a new line at the end. */
  readonly offered: (text: string) => Promise<readonly string[]>
}

/** An editor with the YAML language server and one of the schemas, as it comes: with YAML 1.2. */
export const editorWith = (schema: string): Editor => {
  const uri = pathToFileURL(`schemas/${schema}.schema.json`).href
  const service = createService()
  service.configure({
    validate: true,
    hover: true,
    completion: true,
    schemas: [{ uri, fileMatch: ['*.yaml'] }],
    customTags: [],
  })
  let count = 0
  // the server remembers a document by its name
  const documentOf = (text: string) =>
    TextDocument.create(`file:///${schema}/${++count}.yaml`, 'yaml', 1, text)
  return {
    underlined: async (text) =>
      (await service.doValidation(documentOf(text), false)).map(
        ({ range: { start }, message }) => `${start.line + 1}:${start.character + 1} ${message}`,
      ),
    hover: async (text, at) => {
      const document = documentOf(text)
      const found = await service.doHover(document, document.positionAt(text.indexOf(at)))
      return JSON.stringify(found?.contents)
    },
    offered: async (text) => {
      const document = documentOf(text)
      const { items } = await service.doComplete(document, document.positionAt(text.length), false)
      return items.map(({ label }) => label)
    },
  }
}

const createService = (): LanguageService => {
  const silent = { send() {}, sendError() {}, sendTrack() {} }
  return getLanguageService({
    schemaRequestService: async (uri: string) => fs.readFileSync(new URL(uri), 'utf8'),
    workspaceContext: { resolveRelativePath: (path: string) => path },
    telemetry: silent,
  } as never)
}
