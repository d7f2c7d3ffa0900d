import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestPath, routes, sumsFile, type Variant, variants } from './api/routes.ts'
import { main, status } from './cli/command.ts'
import { reportFailure } from './cli/failure.ts'
import { portNumber } from './cli/host-flags.ts'
import { shared } from './cli/options.ts'
import { report as print, tell } from './cli/output.ts'
import { withProgress } from './cli/terminal.ts'
import { basePathOf, hostFiles, hostNames } from './hosts/hosts.ts'
import { answerApi } from './preview/answer-api.ts'
import { loadCertificate, userFolder } from './preview/certificate.ts'
import { createPages } from './preview/pages.ts'
import { type Ports, requireFree, startServers } from './preview/servers.ts'
import { merge, nothing, type Touched, untilStopped, watchContent } from './preview/watch.ts'
import { hasErrors } from './problems/diagnostic.ts'
import { mayPass, UserError } from './problems/user-error.ts'
import { bodyOf } from './report/formats.ts'
import { outline } from './report/outline.ts'
import { report } from './report/report.ts'
import { type BuildResult, build } from './snapshot/build.ts'
import { type FolderNames, resolveFolders } from './snapshot/folders.ts'
import { amount, grouped, seconds } from './text/amounts.ts'
import { type Html, html } from './text/html.ts'

type Options = FolderNames & { readonly readOnly: boolean }
type Built = BuildResult & { readonly milliseconds: number }

const name = 'npm run preview'

main({
  name,
  summary: 'show the site as people will see it, serve the API on this machine, and follow changes',
  options: {
    ...shared('content', 'out', 'state'),
    http: { value: 'PORT', number: portNumber, default: '3000', description: 'port for plain http' },
    https: { value: 'PORT', number: portNumber, default: '3443', description: 'port for https' },
    'read-only': { description: 'pages show the content and change nothing' },
  },
  notes: [
    'While something in the content is wrong, the last snapshot that was right stays up. Ctrl-C ends it all. docs/preview.md says what the preview cannot show.',
    '',
    'Exit status: 0 ended by Ctrl-C; 2 it could not run, or no longer.',
  ],
  run: async ({ options }) => {
    await preview(options, { http: options.http, https: options.https })
    // a build may be under way: it can be killed at any moment, and the next one tidies up
    process.exit(status.done)
  },
})

/** Settled when somebody has ended the preview. */
async function preview(options: Options, ports: Ports): Promise<void> {
  const folders = resolveFolders(options)
  await requireFree(ports)
  const own = userFolder(process.platform, { env: process.env, home: os.homedir() })
  const place = { folder: own, name: 'localhost.pem' }
  const { pem, kept } = await loadCertificate(place)
  const watcher = watchContent(folders.content.path)
  const token = randomBytes(18).toString('base64url')
  let onUpdate = (): void => {}
  let updated = Promise.resolve()
  const expectUpdate = (): void => {
    onUpdate()
    updated = new Promise((resolve) => {
      onUpdate = resolve
    })
  }
  expectUpdate()
  let ending = false
  /** The path of base_url below which the API is served; `''` as long as there is no snapshot. */
  let basePath = ''
  /** Those that the snapshot has; the https variant stands in for the other one. */
  let schemes: readonly Variant[] = variants
  /** The addresses that were printed last. */
  let printed = ''
  /** What is wrong, as it was shown last; empty when all is well. */
  let shown = ''
  const pages = createPages({
    ...{ folder: folders.content, hostNames, ports, readOnly: options.readOnly },
    certificate: kept ? path.join(own, place.name) : undefined,
    basePath: () => basePath,
    report: () => difference(options),
    ...{ token, bin: { root: folders.own.root, below: '.shotpress/bin' } },
    afterEdit: () => Promise.race([updated, sleep(5000, undefined, { ref: false })]),
  })
  const servers = await startServers(ports, {
    pem,
    onFailure: (error) => reportFailure(error, name),
    handle: (request, response, asked) => {
      if (pages.isPage(request.method, asked.path)) return pages.handle(request, response, asked)
      // pages are at the root, and their pictures with them
      const root = asked.path.startsWith('/pictures/') ? '' : basePath
      const variant = schemes.includes(asked.scheme) ? asked.scheme : 'https'
      return answerApi(request, response, { path: asked.path, variant, out: folders.out, basePath: root })
    },
  })

  const show = async (built: Built): Promise<void> => {
    const { site, diagnostics, written, removed } = built
    const wrong = hasErrors(diagnostics) ? JSON.stringify(diagnostics) : ''
    if (wrong !== '' && wrong === shown) return
    const done = `${sentence(built)}; ${seconds(built.milliseconds)}`
    const news = printed === '' || written + removed > 0
    const closing = wrong ? '' : shown ? `all is well again: ${done}` : news ? done : ''
    await print(diagnostics, { format: 'pretty', content: folders.content, closing })
    shown = wrong
    const served = fs.existsSync(path.join(folders.out, sumsFile))
    if (!wrong || printed === '') {
      basePath = site ? basePathOf(site) : ''
      schemes = site?.schemes ?? variants
    }
    if (wrong) {
      process.stdout.write(
        served
          ? 'the last snapshot that was right stays up\n'
          : 'nothing to serve yet: waiting for content that is right\n',
      )
    }
    const text = linksTo(built.usernames, served ? { ports, basePath } : { ports }).join('')
    if (text === printed || (wrong && printed !== '')) return
    printed = text
    process.stdout.write(
      `\n${text}\nthe certificate is made for this preview: the browser warns of it once\n` +
        (options.readOnly
          ? ''
          : `to edit in the browser, open http://localhost:${ports.http}/#edit=${token}\n`) +
        `watching ${options.content} for changes; Ctrl-C ends the preview\n`,
    )
  }

  const follow = async (): Promise<void> => {
    watcher.renew('all')
    const first = await rebuild(options, 'all', pages.progress)
    await show(first)
    pages.update(first, 'all')
    let failures = 0
    let took = first.milliseconds
    for (let touched: Touched = shown ? 'all' : nothing; ; ) {
      touched = merge(touched, await watcher.next())
      watcher.renew(touched)
      if (took > longMs) await pages.showEarly(touched)
      const built = await rebuild(options, touched).catch(asPassing)
      if (ending) return
      if (built instanceof Error) {
        // files come and go while they are read: this is news only when it stays so
        if (++failures === 2) reportFailure(built, name)
        touched = 'all'
        setTimeout(() => watcher.add('all'), 1000).unref()
        continue
      }
      failures = 0
      took = built.milliseconds
      pages.update(built, touched)
      expectUpdate()
      await show(built)
      if (!shown) touched = nothing
    }
  }

  try {
    await Promise.race([untilStopped(), follow()])
  } finally {
    ending = true
    watcher.close()
    servers.close()
  }
}

/** A build that takes longer keeps people waiting: pages show what they saved before it. */
const longMs = 150

/** Links to print: the pages over each scheme, then, if there is a snapshot, an address of the API for each. */
function linksTo(
  usernames: readonly string[],
  { ports, basePath }: { readonly ports: Ports; readonly basePath?: string },
): readonly string[] {
  const schemes = variants.toReversed()
  const origin = (scheme: Variant): string => `  ${scheme}://localhost:${ports[scheme]}`
  const pages = schemes.map((scheme) => `${origin(scheme)}/\n`)
  const [username] = usernames
  if (username === undefined || basePath === undefined) return pages
  return [
    ...pages,
    ...schemes.map((scheme, at) => `${origin(scheme)}${basePath}${requestPath(routes[at]!, username)}\n`),
  ]
}

/** What the API will serve that it doesn't serve as of the last commit. */
async function difference(
  options: Options,
): Promise<{ readonly words: Html; readonly usernames: readonly string[] }> {
  try {
    const found = await report({
      ...{ content: options.content, out: options.out, base: 'HEAD', hostNames, onProgress: () => {} },
      now: new Date().toISOString().slice(0, 19).replace('T', ' '),
    })
    const { added, renamed, changed } = found.members
    const names = [...added, ...renamed.map(({ to }) => to), ...changed.map(({ username }) => username)]
    return { words: bodyOf(outline(found)), usernames: [...new Set(names)].sort() }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const words = html`<p>${error.message}${error.hint && `: ${error.hint}`}</p>`
    return { words, usernames: [] }
  }
}

async function rebuild(
  options: Options,
  touched: Touched,
  onProgress?: (done: number, total: number) => void,
): Promise<Built> {
  const start = performance.now()
  const onWait = () => tell(`waiting for another build of ${options.out}`)
  const result = await withProgress('members', (show) =>
    build({
      ...{ ...options, hostNames, hostFiles, onWait },
      touched: touched === 'all' ? undefined : touched,
      onProgress: (done, total) => {
        show(done, total)
        onProgress?.(done, total)
      },
    }),
  )
  return { ...result, milliseconds: performance.now() - start }
}

/** Returns an error that may pass by itself; throws any other. */
function asPassing(error: unknown): Error {
  if (mayPass(error)) return error
  throw error
}

function sentence({ members, compiled, written, removed }: BuildResult): string {
  const files = `${amount(written, 'file')} written, ${grouped(removed)} removed`
  return `${amount(members, 'member')} (${grouped(compiled)} compiled); ${files}`
}
