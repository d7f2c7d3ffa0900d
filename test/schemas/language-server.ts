import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

export type Diagnosis = {
  readonly message: string
  readonly range: { readonly start: { readonly line: number; readonly character: number } }
}

export type Server = Awaited<ReturnType<typeof startServer>>

const root = new URL('../../', import.meta.url)
const bin = fileURLToPath(
  new URL('node_modules/yaml-language-server/bin/yaml-language-server', root),
)

/** What the server itself speaks the protocol with. */
const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = createRequire(
  bin,
)('vscode-languageserver/node') as typeof import('vscode-languageserver/node.js')

/**
 * Starts the YAML language server as an editor does, on the project's folder, with settings
 * such as `{ 'yaml.yamlVersion': '1.2' }`.
 */
export const startServer = async (settings: Readonly<Record<string, unknown>>) => {
  const child = spawn(process.execPath, [bin, '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const server = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  const published = new Map<string, (diagnostics: readonly Diagnosis[]) => void>()
  const configured = new Promise<void>((resolve) => {
    type Asked = { readonly items: readonly { readonly section: string }[] }
    server.onRequest('workspace/configuration', ({ items }: Asked) => {
      resolve()
      return items.map(({ section }) => sectionOf(settings, section))
    })
  })
  type Told = { readonly uri: string; readonly diagnostics: readonly Diagnosis[] }
  server.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }: Told) =>
    published.get(uri)?.(diagnostics),
  )
  server.onRequest(() => null)
  server.listen()
  await server.sendRequest('initialize', {
    processId: process.pid,
    rootUri: root.href,
    workspaceFolders: [{ uri: root.href, name: 'project' }],
    capabilities: {
      workspace: {
        configuration: true,
        didChangeConfiguration: { dynamicRegistration: true },
      },
      textDocument: {
        completion: { completionItem: { documentationFormat: ['markdown', 'plaintext'] } },
      },
    },
  })
  await server.sendNotification('initialized', {})
  await configured

  let version = 0
  const open = new Set<string>()
  const at = (path: string, line: number, character: number) => ({
    textDocument: { uri: new URL(path, root).href },
    position: { line, character },
  })
  return {
    /** What is underlined in a file of the project with this text. */
    diagnose: (path: string, text: string): Promise<readonly Diagnosis[]> => {
      const { href: uri } = new URL(path, root)
      const textDocument = { uri, languageId: 'yaml', version: ++version, text }
      const [method, change] = open.has(uri)
        ? ['didChange', { contentChanges: [{ text }] }]
        : ['didOpen', {}]
      open.add(uri)
      return new Promise((resolve) => {
        published.set(uri, resolve)
        server.sendNotification(`textDocument/${method}`, { textDocument, ...change })
      })
    },
    /** What is shown with the pointer at an offset of the file last diagnosed there. */
    hover: async (...place: Parameters<typeof at>) =>
      JSON.stringify(await server.sendRequest('textDocument/hover', at(...place))),
    /** The labels offered at a place, with what is said of each. */
    complete: async (...place: Parameters<typeof at>) => {
      type Offered = { readonly items: readonly { label: string; documentation?: unknown }[] }
      const { items } = await server.sendRequest<Offered>(
        'textDocument/completion',
        at(...place),
      )
      return Object.fromEntries(
        items.map(({ label, documentation }) => [label, JSON.stringify(documentation ?? '')]),
      )
    },
    stop: async () => {
      await server.sendRequest('shutdown')
      await server.sendNotification('exit')
      await ended
    },
  }
}

/** `{ 'yaml.validate': true }` is `{ validate: true }` in the section `yaml`. */
const sectionOf = (settings: Readonly<Record<string, unknown>>, section: string): object =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) => {
      if (!key.startsWith(`${section}.`)) return []
      const [first, second] = key.slice(section.length + 1).split('.')
      return [[first, second === undefined ? value : { [second]: value }]]
    }),
  )
