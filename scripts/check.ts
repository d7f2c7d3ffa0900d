import { setTimeout as sleep } from 'node:timers/promises'
import { endBySignal, main, shared } from './cli/command.ts'
import { print, report, reportFailure, type Status, status, tell, withProgress } from './cli/output.ts'
import { createLoader } from './content/load.ts'
import type { ContentFolder } from './content/read/scan.ts'
import { fixProblems } from './edit/fix.ts'
import { selectFiles } from './edit/selection.ts'
import { hostNames } from './hosts/hosts.ts'
import { type Touched, untilStopped, watchContent } from './preview/watch.ts'
import { hasErrors } from './problems/diagnostic.ts'
import { mayPass } from './problems/user-error.ts'
import { check, parseShard } from './snapshot/check.ts'
import { resolveContent } from './snapshot/folders.ts'
import type { State } from './snapshot/state.ts'
import { amount, seconds } from './text/amounts.ts'

const name = 'npm run check'

main({
  name,
  summary: 'check the content',
  operands: '[GLOB…]',
  options: {
    ...shared('content', 'out', 'state'),
    all: { description: 'look at every member anew, and take nothing from the last build' },
    fix: { description: 'first fix what has one answer, and say what was done' },
    ...shared('shard'),
    watch: { description: 'check again after each change, until Ctrl-C' },
    ...shared('format', 'output'),
  },
  notes: [
    'GLOB names files or folders, seen from the working folder: only problems that have to do with them are shown, and count. Quote patterns: "content/members/a*/**".',
    '',
    'Exit status: 0 all is well, or --watch was ended by Ctrl-C; 1 something in the content is wrong; 2 it could not run.',
  ],
  run: async ({ operands, options }) => {
    const content = resolveContent(options.content)
    const shard = parseShard(options.shard)
    let last: State | undefined

    const look = (touched: Touched) =>
      withProgress('members checked', (onProgress) =>
        check({
          ...options,
          shard,
          hostNames,
          last,
          onProgress,
          touched: touched === 'all' ? undefined : touched,
        }),
      )

    /** Checks, and fixes if it was asked to; what is to be told of what is left, and the status. */
    const examine = async (touched: Touched): Promise<() => Promise<Status>> => {
      const start = performance.now()
      const isNamed = selectFiles(operands, content)
      // a file that --fix gave another name stays selected
      const written = new Set<string>()
      const isSelected = (file: string): boolean => isNamed(file) || written.has(file)
      let result = await look(touched)
      // a file that is in its place now may have more to fix
      for (let round = 0; options.fix && round < 3; round++) {
        const fixes = fixProblems(
          result.diagnostics.filter(({ file }) => isSelected(file)),
          { content, loader: createLoader({ hostNames }) },
        )
        if (fixes.length === 0) break
        for (const { file, line, before, after } of fixes) tell(`${file}:${line}: ${before} → ${after}`)
        for (const one of fixes.map((fix) => `${content.name}/${fix.written}`)) {
          if (options.format === 'pretty' && !written.has(one)) print(one)
          written.add(one)
        }
        last = result.state
        result = await look('all')
      }
      if (options.watch) last = result.state
      const diagnostics = result.diagnostics.filter(
        ({ code, file, related = [] }) =>
          code === 'not-looked-at' || [file, ...related.map((one) => one.file)].some(isSelected),
      )
      const counts = `${amount(result.members, 'member')}, ${amount(result.shots, 'shot')}`
      const closing = `${counts}: all is well (${seconds(performance.now() - start)})`
      return () =>
        report(diagnostics, { ...options, content, closing: hasErrors(diagnostics) ? '' : closing })
    }

    if (!options.watch) {
      endBySignal()
      const tellFound = await examine('all')
      return tellFound()
    }
    await Promise.race([untilStopped(), follow(content, examine)])
    // a check may be under way: it writes nothing
    process.exit(status.done)
  },
})

/** Checks now and after each change, between two lines that editors look for (.vscode/tasks.json). */
async function follow(
  content: ContentFolder,
  examine: (touched: Touched) => Promise<() => Promise<Status>>,
): Promise<never> {
  const watcher = watchContent(content.path)
  const begin = (): unknown => tell('checking the content')
  let touched: Touched = 'all'
  for (let failures = 0, first = true; ; first = false) {
    watcher.renew(touched)
    // what stays as it is, such as a missing folder, is said once
    if (failures < 2) begin()
    try {
      const tellFound = await examine(touched)
      if (failures >= 2) begin()
      failures = 0
      await tellFound()
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
