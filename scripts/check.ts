import { endBySignal, main, shared } from './cli/command.ts'
import { openToWrite, selectFiles } from './cli/content.ts'
import { print, report, reportFailure, status, tell, withProgress } from './cli/output.ts'
import { fixProblems } from './edit/fix.ts'
import { followContent, type Touched, untilStopped } from './preview/watch.ts'
import { type Diagnostic, hasErrors } from './problems/diagnostic.ts'
import { type CheckResult, check } from './snapshot/check.ts'
import type { State } from './snapshot/entry.ts'
import { resolveContent } from './snapshot/folders.ts'
import { parseShard } from './snapshot/shard.ts'
import { amount, seconds } from './text/amounts.ts'

const name = 'npx shotpress check'

// editors look for what is wrong between two lines: see .vscode/tasks.json
const begin = () => tell('checking the content')
const end = async () => {
  // the lines of stdout come before it
  await new Promise((resolve) => process.stdout.write('', resolve))
  tell('checked; waiting for changes (Ctrl-C ends it)')
}

/** Whether a problem has to do with a file that is selected, or with all of them. */
const isAbout = (
  { code, file, related = [] }: Diagnostic,
  isSelected: (file: string) => boolean,
): boolean =>
  code === 'not-looked-at' || [file, ...related.map((one) => one.file)].some(isSelected)

const allIsWell = ({ members, shots }: CheckResult, took: number): string =>
  `${amount(members, 'member')}, ${amount(shots, 'shot')}: all is well (${seconds(took)})`

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
    const content = (options.fix ? openToWrite : resolveContent)(options.content)
    const shard = parseShard(options.shard)
    let last: State | undefined

    const look = (touched: Touched) =>
      withProgress('members checked', (onProgress) =>
        check({ ...options, shard, last, onProgress, touched, onDoubt: tell }),
      )

    /** Checks, fixes if it was asked to, and tells what is left. */
    const examine = async (touched: Touched, onFound = () => {}) => {
      const start = performance.now()
      const isNamed = selectFiles(operands, content)
      // a file that --fix gave another name stays selected
      const written = new Set<string>()
      const isSelected = (file: string) => isNamed(file) || written.has(file)
      let result = await look(touched)
      // a file that is in its place now may have more to fix
      for (let round = 0; options.fix && round < 3; round++) {
        const wrong = result.diagnostics.filter(({ file }) => isSelected(file))
        const fixes = fixProblems(wrong, content)
        if (fixes.length === 0) break
        for (const { file, line, before, after, movedTo: now = file } of fixes) {
          tell(`${file}:${line}: ${before} → ${after}`)
          if (options.format === 'pretty' && !written.has(now)) print(now)
          written.add(now)
        }
        last = result.state
        result = await look(undefined)
      }
      if (options.watch) last = result.state
      const diagnostics = result.diagnostics.filter((one) => isAbout(one, isSelected))
      const closing = hasErrors(diagnostics)
        ? ''
        : allIsWell(result, performance.now() - start)
      onFound()
      return report(diagnostics, { ...options, content, closing })
    }

    if (!options.watch) {
      endBySignal()
      return examine(undefined)
    }
    // what stays as it is, such as a missing folder, is said once
    const following = followContent(content.path, {
      look: async (touched, failures) => {
        if (failures < 2) begin()
        await examine(touched, failures < 2 ? undefined : begin)
        await end()
      },
      onFailure: (error) => {
        reportFailure(error, name)
        return end()
      },
    })
    await Promise.race([untilStopped(), following])
    // a check may be under way: it writes nothing
    process.exit(status.done)
  },
})
