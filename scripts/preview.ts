import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { requestPath, routes, sumsFile, type Variant, variants } from './api/routes.ts'
import { main, type Status, status } from './cli/command.ts'
import { reportFailure } from './cli/failure.ts'
import { parsePort } from './cli/host-flags.ts'
import { contentOption, outOption, stateOption } from './cli/options.ts'
import { createProgress } from './cli/progress.ts'
import { report } from './cli/report.ts'
import { hostNames } from './hosts/hosts.ts'
import { basePathOf, hostFiles } from './hosts/in-snapshot.ts'
import { answerApi } from './preview/answer-api.ts'
import { loadCertificate, userFolder } from './preview/certificate.ts'
import { exportPages, parseHosts, resolveExport } from './preview/pages/export-pages.ts'
import { createHandler, isPage } from './preview/pages/handle.ts'
import { createPages } from './preview/pages/pages.ts'
import { type Ports, requireFree, startServers } from './preview/servers.ts'
import { merge, nothing, type Touched, untilStopped, watchContent } from './preview/watch.ts'
import { hasErrors } from './problems/diagnostic.ts'
import { mayPass, UserError } from './problems/user-error.ts'
import { type BuildResult, build } from './snapshot/build.ts'
import { type FolderNames, resolveFolders } from './snapshot/state/folders.ts'
import { amount, grouped, seconds } from './text/amounts.ts'

type Options = FolderNames
type Built = BuildResult & { readonly milliseconds: number }

const name = 'npm run preview'

main({
  name,
  summary: 'show the site as people will see it, serve the API on this machine, and follow changes',
  options: {
    content: contentOption,
    out: outOption,
    state: stateOption,
    http: { value: 'PORT', default: '3000', description: 'port for plain http' },
    https: { value: 'PORT', default: '3443', description: 'port for https' },
    export: { value: 'DIR', description: 'serve nothing: write the pages into this new folder' },
    drafts: { description: 'with --export: show drafts too' },
    images: { value: 'HOST,…', description: 'with --export: show images from these hosts' },
  },
  notes: [
    'While something in the content is wrong, the last snapshot that was right stays up. Ctrl-C ends it all. docs/preview.md says what the preview cannot show.',
    '',
    'Exit status: 0 ended by Ctrl-C, or exported; 1 exported, and something in the content is wrong; 2 it could not run, or no longer.',
  ],
  run: async ({ options }) => {
    if (options.export !== undefined) return exported(options, options.export)
    if (options.drafts || options.images !== undefined) {
      throw new UserError(`${options.drafts ? '--drafts' : '--images'} goes with --export`, {
        hint: 'the preview shows drafts, and asks for each host in the browser',
      })
    }
    await preview(options, {
      http: parsePort(options.http, '--http'),
      https: parsePort(options.https, '--https'),
    })
    // a build may be under way: it can be killed at any moment, and the next one tidies up
    process.exit(status.done)
  },
})

type ExportFlags = Options & { readonly drafts: boolean; readonly images: string | undefined }

/** Builds, and writes the pages as files; what is wrong is printed as `check` prints it. */
async function exported({ drafts, images = '', ...options }: ExportFlags, name: string): Promise<Status> {
  const folders = resolveFolders(options)
  const folder = resolveExport(name, [folders.content.path, folders.out])
  const allowed = parseHosts(images)
  const built = await rebuild(options, 'all')
  const pages = createPages({ ...folders, hostNames, start: 'files' })
  pages.update(built, 'all')
  const progress = createProgress(process.stderr, { env: process.env })
  try {
    await exportPages(pages, folder, {
      ...{ images: allowed, drafts },
      onProgress: (done, total) => progress.update(done, total, 'pages'),
    })
  } finally {
    progress.end()
  }
  const closing = `${amount(pages.usernames().length + 1, 'page')} written: open ${path.join(name, 'index.html')}`
  await report(built.diagnostics, { format: 'pretty', content: folders.content, console: process, closing })
  return hasErrors(built.diagnostics) ? status.no : status.done
}

/** Settled when somebody has ended the preview. */
async function preview(options: Options, ports: Ports): Promise<void> {
  const folders = resolveFolders(options)
  await requireFree(ports)
  const own = userFolder(process.platform, { env: process.env, home: os.homedir() })
  const place = { folder: own, name: 'localhost.pem' }
  const { pem, kept } = await loadCertificate(place)
  const watcher = watchContent(folders.content.path)
  const pages = createPages({ ...folders, hostNames, start: randomUUID() })
  let ending = false
  let onFirst = (): void => {}
  const ready = new Promise<void>((resolve) => {
    onFirst = resolve
  })
  /** The path of base_url below which the API is served; `''` as long as there is no snapshot. */
  let basePath = ''
  /** The addresses that were printed last. */
  let printed = ''
  /** What is wrong, as it was shown last; empty when all is well. */
  let shown = ''
  const certificate = kept ? path.join(own, place.name) : undefined
  const answerPage = createHandler({ pages, ports, content: folders.content, certificate }, ready)
  const servers = await startServers(ports, {
    pem,
    onFailure: (error) => reportFailure(error, name),
    handle: (request, response, asked) =>
      isPage(request.method, asked.path)
        ? answerPage(request, response, asked)
        : answerApi(request, response, { ...asked, variant: asked.scheme, out: folders.out, basePath }),
  })

  const show = async (built: Built): Promise<void> => {
    const { site, diagnostics, written, removed } = built
    const wrong = hasErrors(diagnostics) ? JSON.stringify(diagnostics) : ''
    if (wrong !== '' && wrong === shown) return
    const done = `${sentence(built)}; ${seconds(built.milliseconds)}`
    const news = printed === '' || written + removed > 0
    const closing = wrong ? '' : shown ? `all is well again: ${done}` : news ? done : ''
    await report(diagnostics, { format: 'pretty', content: folders.content, console: process, closing })
    shown = wrong
    const served = fs.existsSync(path.join(folders.out, sumsFile))
    if (!wrong || printed === '') basePath = site ? basePathOf(site) : ''
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
        `watching ${options.content} for changes; Ctrl-C ends the preview\n`,
    )
  }

  const follow = async (): Promise<void> => {
    watcher.renew('all')
    const first = await rebuild(options, 'all')
    await show(first)
    pages.update(first, 'all')
    onFirst()
    let failures = 0
    for (let touched: Touched = shown ? 'all' : nothing; ; ) {
      touched = merge(touched, await watcher.next())
      watcher.renew(touched)
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
      pages.update(built, touched)
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

async function rebuild(options: Options, touched: Touched): Promise<Built> {
  const start = performance.now()
  const progress = createProgress(process.stderr, { env: process.env })
  try {
    const result = await build({
      ...options,
      hostNames,
      hostFiles,
      touched: touched === 'all' ? undefined : touched,
      onProgress: (done, total) => progress.update(done, total, 'members'),
      onWait: () => process.stderr.write(`waiting for another build of ${options.out}\n`),
    })
    return { ...result, milliseconds: performance.now() - start }
  } finally {
    progress.end()
  }
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
