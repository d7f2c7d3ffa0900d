import { endBySignal, main, status } from './cli/command.ts'
import { contentOption, outOption, stateOption } from './cli/options.ts'
import { outputOption } from './cli/output.ts'
import { createProgress } from './cli/progress.ts'
import { formatOption, parseFormat, report } from './cli/report.ts'
import { type Diagnostic, hasErrors } from './diagnostics/diagnostic.ts'
import { fixProblems } from './edit/fix.ts'
import { selectFiles } from './edit/selection.ts'
import { hostNames } from './hosts/hosts.ts'
import { check } from './snapshot/check.ts'
import { resolveContent } from './snapshot/state/folders.ts'
import { amount, seconds } from './text/amounts.ts'
import { printable } from './text/printable.ts'

main({
  name: 'npm run check',
  summary: 'check the content',
  operands: '[GLOB…]',
  options: {
    content: contentOption,
    out: outOption,
    state: stateOption,
    all: { description: 'look at every member anew, and take nothing from the last build' },
    fix: { description: 'first fix what has one answer, and say what was done' },
    format: formatOption,
    output: outputOption,
  },
  notes: [
    'GLOB names files or folders, seen from the working folder: only problems that have to do with them are shown, and count. Quote patterns: "content/members/a*/**".',
    '',
    'Exit status: 0 all is well, 1 something in the content is wrong, 2 it could not run.',
  ],
  run: async ({ operands, options }) => {
    endBySignal()
    const start = performance.now()
    const format = parseFormat(options.format)
    const content = resolveContent(options.content)
    const isSelected = selectFiles(operands, content)
    const concerns = ({ file, related = [] }: Diagnostic): boolean =>
      [file, ...related.map((one) => one.file)].some(isSelected)
    const look = async () => {
      const progress = createProgress(process.stderr, { env: process.env })
      const result = await check({
        ...options,
        hostNames,
        onProgress: (done, total) => progress.update(done, total, 'members checked'),
      })
      progress.end()
      return { ...result, diagnostics: result.diagnostics.filter(concerns) }
    }
    let result = await look()
    // a file that is in its place now may have more to fix
    for (let round = 0; options.fix && round < 3; round++) {
      const fixes = fixProblems(
        result.diagnostics.filter(({ file }) => isSelected(file)),
        content,
      )
      if (fixes.length === 0) break
      for (const { file, line, before, after } of fixes) {
        process.stderr.write(`${printable(`${file}:${line}: ${before} → ${after}`)}\n`)
      }
      const paths = new Set(fixes.map(({ written }) => `${content.name}/${written}`))
      if (format === 'pretty') for (const one of paths) process.stdout.write(`${printable(one)}\n`)
      result = await look()
    }
    const { diagnostics, members, shots } = result
    const wrong = hasErrors(diagnostics)
    const time = seconds(performance.now() - start)
    const closing = wrong
      ? ''
      : `${amount(members, 'member')}, ${amount(shots, 'shot')}: all is well (${time})`
    await report(diagnostics, {
      ...{ format, content, console: process, closing, output: options.output },
    })
    return wrong ? status.no : status.done
  },
})
