import { setTimeout as sleep } from 'node:timers/promises'
import { endBySignal, main, type Status, status } from './cli/command.ts'
import { reportFailure } from './cli/failure.ts'
import {
  contentOption,
  formatOption,
  outOption,
  outputOption,
  shardOption,
  stateOption,
} from './cli/options.ts'
import { print, report, tell } from './cli/output.ts'
import { createProgress } from './cli/terminal.ts'
import { createLoader } from './content/load.ts'
import type { ContentFolder } from './content/read/scan.ts'
import { fixProblems } from './edit/fix.ts'
import { selectFiles } from './edit/selection.ts'
import { hostNames } from './hosts/hosts.ts'
import { type Touched, untilStopped, watchContent } from './preview/watch.ts'
import { type Diagnostic, hasErrors } from './problems/diagnostic.ts'
import type { FormatName } from './problems/formats.ts'
import { mayPass } from './problems/user-error.ts'
import { check, type LastCheck } from './snapshot/check.ts'
import { type FolderNames, resolveContent } from './snapshot/folders.ts'
import { parseShard } from './snapshot/site.ts'
import { amount, seconds } from './text/amounts.ts'

const name = 'npm run check'

main({
  name,
  summary: 'check the content',
  operands: '[GLOB…]',
  options: {
    content: contentOption,
    out: outOption,
    state: stateOption,
    all: { description: 'look at every member anew, and take nothing from the last build' },
    fix: { description: 'first fix what has one answer, and say what was done' },
    shard: shardOption,
    watch: { description: 'check again after each change, until Ctrl-C' },
    format: formatOption,
    output: outputOption,
  },
  notes: [
    'GLOB names files or folders, seen from the working folder: only problems that have to do with them are shown, and count. Quote patterns: "content/members/a*/**".',
    '',
    'Exit status: 0 all is well, or --watch was ended by Ctrl-C; 1 something in the content is wrong; 2 it could not run.',
  ],
  run: async ({ operands, options }) => {
    const { format } = options
    const content = resolveContent(options.content)
    const request = { operands, options, format, content }
    if (!options.watch) {
      endBySignal()
      return tellFound(await examine(request), request)
    }
    await Promise.race([untilStopped(), follow(request)])
    // a check may be under way: it writes nothing
    process.exit(status.done)
  },
})

type Request = {
  readonly operands: readonly string[]
  readonly options: FolderNames & {
    readonly all: boolean
    readonly fix: boolean
    readonly shard: string | undefined
    readonly output: string | undefined
  }
  readonly format: FormatName
  readonly content: ContentFolder
}

type Found = {
  readonly diagnostics: readonly Diagnostic[]
  readonly closing: string
  readonly keep: () => LastCheck
}

/** What is known from the check before this one, and what may have changed since then. */
type Since = { readonly last: LastCheck | undefined; readonly touched: Touched }

/** What to print, and the closing line if nothing is wrong; with `--fix`, about what is left after it. */
async function examine(
  { operands, options, format, content }: Request,
  since: Since = { last: undefined, touched: 'all' },
): Promise<Found> {
  const start = performance.now()
  const isNamed = selectFiles(operands, content)
  // a file that --fix gave another name stays selected
  const written = new Set<string>()
  const isSelected = (file: string): boolean => isNamed(file) || written.has(file)
  const concerns = ({ code, file, related = [] }: Diagnostic): boolean =>
    code === 'not-looked-at' || [file, ...related.map((one) => one.file)].some(isSelected)
  const look = async ({ last, touched }: Since) => {
    const progress = createProgress()
    const result = await check({
      ...options,
      shard: options.shard === undefined ? undefined : parseShard(options.shard),
      hostNames,
      last,
      touched: touched === 'all' ? undefined : touched,
      onProgress: (done, total) => progress.update(done, total, 'members checked'),
    }).finally(progress.end)
    return { ...result, diagnostics: result.diagnostics.filter(concerns) }
  }
  let result = await look(since)
  // a file that is in its place now may have more to fix
  for (let round = 0; options.fix && round < 3; round++) {
    const fixes = fixProblems(
      result.diagnostics.filter(({ file }) => isSelected(file)),
      { content, loader: createLoader({ hostNames }), site: undefined },
    )
    if (fixes.length === 0) break
    for (const { file, line, before, after } of fixes) {
      tell(`${file}:${line}: ${before} → ${after}`)
    }
    for (const one of fixes.map((fix) => `${content.name}/${fix.written}`)) {
      if (format === 'pretty' && !written.has(one)) print(one)
      written.add(one)
    }
    result = await look({ last: result.keep(), touched: 'all' })
  }
  const { diagnostics, members, shots, keep } = result
  const time = seconds(performance.now() - start)
  const closing = `${amount(members, 'member')}, ${amount(shots, 'shot')}: all is well (${time})`
  return { diagnostics, closing, keep }
}

async function tellFound(
  { diagnostics, closing }: Found,
  { format, content, options }: Request,
): Promise<Status> {
  const wrong = hasErrors(diagnostics)
  await report(diagnostics, { format, content, closing: wrong ? '' : closing, output: options.output })
  return wrong ? status.no : status.done
}

/** Checks now and after each change, between two lines that editors look for (.vscode/tasks.json). */
async function follow(request: Request): Promise<never> {
  const watcher = watchContent(request.content.path)
  const begin = (): unknown => tell('checking the content')
  let touched: Touched = 'all'
  let last: LastCheck | undefined
  for (let failures = 0, first = true; ; first = false) {
    watcher.renew(touched)
    // what stays as it is, such as a missing folder, is said once
    if (failures < 2) begin()
    try {
      const found = await examine(request, { last, touched })
      last = found.keep()
      if (failures >= 2) begin()
      failures = 0
      await tellFound(found, request)
    } catch (error) {
      if (first || !mayPass(error)) throw error
      // files come and go while they are read: this is news only when it stays so
      if (++failures === 2) reportFailure(error, name)
    }
    // the lines of stdout come before the line that ends them
    await new Promise((resolve) => process.stdout.write('', resolve))
    if (failures === 0 || failures === 2) tell('checked; waiting for changes (Ctrl-C ends it)')
    if (failures > 0) await sleep(1000)
    touched = failures > 0 ? 'all' : await watcher.next()
  }
}
