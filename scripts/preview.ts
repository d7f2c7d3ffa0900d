import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { requestPath, routes, sumsFile } from './api/routes.ts'
import { main, shared } from './cli/command.ts'
import { openToWrite } from './cli/content.ts'
import { portNumber } from './cli/host-flags.ts'
import { print, report, reportFailure, status, tell, withProgress } from './cli/output.ts'
import { basePathOf } from './hosts/hosts.ts'
import { createPages } from './preview/pages.ts'
import { address, openServers, type Ports } from './preview/servers.ts'
import { followContent, merge, type Touched, untilStopped } from './preview/watch.ts'
import { hasErrors } from './problems/diagnostic.ts'
import { type BuildResult, build } from './snapshot/build.ts'
import { type FolderNames, resolveFolders } from './snapshot/folders.ts'
import { amount, grouped, seconds } from './text/amounts.ts'

type Options = FolderNames & Ports & { readonly readOnly: boolean }

const name = 'npx shotpress preview'

main({
  name,
  summary:
    'show the site as people will see it, serve the API on this machine, and follow changes',
  options: {
    ...shared('content', 'out', 'state'),
    http: {
      value: 'PORT',
      number: portNumber,
      default: '3000',
      description: 'port for plain http',
    },
    https: {
      value: 'PORT',
      number: portNumber,
      default: '3443',
      description: 'port for https',
    },
    'read-only': { description: 'pages show the content and change nothing' },
  },
  notes: [
    'While something in the content is wrong, the last snapshot that was right stays up. Ctrl-C ends it all. docs/preview.md says what the preview cannot show.',
    '',
    'Exit status: 0 ended by Ctrl-C; 2 it could not run, or had to stop.',
  ],
  run: async ({ options }) => {
    await preview(options)
    // a build may be under way: it can be killed at any moment, and the next one tidies up
    process.exit(status.done)
  },
})

/** Settled when somebody has ended the preview. */
async function preview(options: Options): Promise<void> {
  const folders = resolveFolders(options)
  if (!options.readOnly) openToWrite(options.content)
  const token = randomBytes(18).toString('base64url')
  const onFailure = (error: unknown): void => reportFailure(error, name)
  const pages = createPages({
    folder: folders.content,
    out: folders.out,
    ports: options,
    readOnly: options.readOnly,
    token,
    bin: { root: folders.own.root, below: '.shotpress/bin' },
    onFailure,
  })
  const servers = await openServers({ ports: options, handle: pages.handle, onFailure })
  const show = createNews({ ...options, token, folders })
  /** What may have changed since the last build of content that was right. */
  let pending: Touched = new Set()
  const onWait = () => tell(`waiting for another build of ${options.out}`)
  const look = async (changed: Touched): Promise<void> => {
    const touched = merge(pending, changed)
    pending = touched
    const start = performance.now()
    const built = await withProgress('members', (onProgress) =>
      build({ ...options, onWait, onProgress, touched }),
    )
    pages.update(built, touched)
    await show(built, performance.now() - start)
    if (!hasErrors(built.diagnostics)) pending = new Set()
  }

  try {
    await Promise.race([
      untilStopped(),
      followContent(folders.content.path, { look, onFailure }),
    ])
  } finally {
    servers.close()
  }
}

type Telling = Options & {
  readonly token: string
  readonly folders: ReturnType<typeof resolveFolders>
}

/** Tells what a build found, and where to click; nothing twice. */
const createNews = (options: Telling) => {
  const { content, out } = options.folders
  /** The addresses that were printed last. */
  let printed = ''
  /** What is wrong, as it was shown last; empty when all is well. */
  let shown = ''

  return async (built: BuildResult, took: number): Promise<void> => {
    const { diagnostics } = built
    const wrong = hasErrors(diagnostics) ? JSON.stringify(diagnostics) : ''
    if (wrong !== '' && wrong === shown) return
    const again = shown && 'all is well again: '
    const closing = wrong ? '' : again + inWords(built, took)
    report(diagnostics, { format: 'pretty', content, closing })
    shown = wrong
    const isServed = fs.existsSync(path.join(out, sumsFile))
    if (wrong)
      print(
        isServed
          ? 'the last snapshot that was right stays up'
          : 'nothing to serve yet: waiting for content that is right',
      )
    const text = addressesOf(built, { ports: options, isServed })
    if (text === printed || (wrong && printed)) return
    printed = text
    process.stdout.write(`\n${text}\n`)
    print('the certificate is made for this preview, so browsers warn of it')
    if (!options.readOnly)
      print(
        `to edit in the browser, open http://${address}:${options.http}/#edit=${options.token}`,
      )
    print(`watching ${options.content} for changes; Ctrl-C ends the preview`)
  }
}

const inWords = (
  { members, compiled, written, removed }: BuildResult,
  took: number,
): string => {
  const files = `${amount(written, 'file')} written, ${grouped(removed)} removed`
  return `${amount(members, 'member')} (${grouped(compiled)} compiled); ${files}; ${seconds(took)}`
}

/** The gallery, and what the API answers for the first member, over both schemes. */
const addressesOf = (
  { tools: { site }, usernames }: BuildResult,
  { ports, isServed }: { readonly ports: Ports; readonly isServed: boolean },
): string => {
  const base = site ? basePathOf(site) : ''
  const first = isServed ? usernames.slice(0, 1) : []
  const api = first.flatMap((username) =>
    routes.map((route) => base + requestPath(route, username)),
  )
  return ['/', '/', ...api]
    .map((path, at) => {
      const scheme = at % 2 === 0 ? 'http' : 'https'
      return `  ${scheme}://${address}:${ports[scheme]}${path}\n`
    })
    .join('')
}
