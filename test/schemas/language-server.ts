import { spawn } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'

export type Diagnosis = {
  readonly message: string
  readonly range: { readonly start: { readonly line: number; readonly character: number } }
}

/** The YAML language server as a process, as an editor has it. */
export type Server = {
  /** What is underlined in a file of the project with this text. */
  readonly diagnose: (path: string, text: string) => Promise<readonly Diagnosis[]>
  /** What is shown with the pointer at an offset of the file last diagnosed there. */
  readonly hover: (path: string, line: number, character: number) => Promise<string>
  /** The labels offered at a place, with what is said of each. */
  readonly complete: (
    path: string,
    line: number,
    character: number,
  ) => Promise<Readonly<Record<string, string>>>
  readonly stop: () => Promise<void>
}

const root = new URL('../../', import.meta.url)

/** Starts the server on the project's folder with an editor's settings, such as `{ 'yaml.yamlVersion': '1.2' }`. */
export const startServer = async (settings: Readonly<Record<string, unknown>>): Promise<Server> => {
  const bin = fileURLToPath(new URL('node_modules/yaml-language-server/bin/yaml-language-server', root))
  const child = spawn(process.execPath, [bin, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const answers = new Map<number, (result: unknown) => void>()
  const published = new Map<string, (diagnostics: readonly Diagnosis[]) => void>()
  const open = new Set<string>()
  let count = 0
  let onConfigured = (): void => {}
  const configured = new Promise<void>((resolve) => {
    onConfigured = resolve
  })

  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const ask = <T>(method: string, params: object | null): Promise<T> => {
    const id = ++count
    return new Promise((resolve) => {
      answers.set(id, resolve as (result: unknown) => void)
      send({ id, method, params })
    })
  }
  child.stdout.on(
    'data',
    messages((message) => {
      const { id, method, params, result } = message
      if (method === undefined) answers.get(id!)?.(result)
      else if (method === 'workspace/configuration') {
        send({ id, result: params!.items!.map(({ section }) => sectionOf(settings, section)) })
        onConfigured()
      } else if (method === 'textDocument/publishDiagnostics') {
        published.get(params!.uri!)?.(params!.diagnostics!)
      } else if (id !== undefined) send({ id, result: null })
    }),
  )

  await ask('initialize', {
    processId: process.pid,
    rootUri: root.href,
    workspaceFolders: [{ uri: root.href, name: 'project' }],
    capabilities: {
      workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
      textDocument: { completion: { completionItem: { documentationFormat: ['markdown', 'plaintext'] } } },
    },
  })
  send({ method: 'initialized', params: {} })
  await configured

  const uriOf = (path: string): string => pathToFileURL(fileURLToPath(new URL(path, root))).href
  const at = (path: string, line: number, character: number) => ({
    textDocument: { uri: uriOf(path) },
    position: { line, character },
  })
  return {
    diagnose: (path, text) => {
      const uri = uriOf(path)
      const version = ++count
      return new Promise((resolve) => {
        published.set(uri, resolve)
        if (open.has(uri)) {
          send({
            method: 'textDocument/didChange',
            params: { textDocument: { uri, version }, contentChanges: [{ text }] },
          })
        } else {
          send({
            method: 'textDocument/didOpen',
            params: { textDocument: { uri, languageId: 'yaml', version, text } },
          })
        }
        open.add(uri)
      })
    },
    hover: async (...place) => JSON.stringify(await ask('textDocument/hover', at(...place))),
    complete: async (...place) => {
      const { items } = await ask<{ items: { label: string; documentation?: unknown }[] }>(
        'textDocument/completion',
        at(...place),
      )
      return Object.fromEntries(
        items.map(({ label, documentation }) => [label, JSON.stringify(documentation ?? '')]),
      )
    },
    stop: async () => {
      await ask('shutdown', null)
      send({ method: 'exit' })
      await ended
    },
  }
}

type Message = {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
  readonly params?: {
    readonly items?: readonly { readonly section: string }[]
    readonly uri?: string
    readonly diagnostics?: readonly Diagnosis[]
  }
}

/** Puts the bytes of a stream together to messages. */
const messages = (take: (message: Message) => void): ((chunk: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const start = rest.indexOf('\r\n\r\n') + 4
      const length = Number(
        /Content-Length: (\d+)/i.exec(rest.subarray(0, Math.max(0, start)).toString())?.[1],
      )
      if (start === 3 || !(rest.length >= start + length)) return
      const body = rest.subarray(start, start + length).toString()
      rest = rest.subarray(start + length)
      take(JSON.parse(body))
    }
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
