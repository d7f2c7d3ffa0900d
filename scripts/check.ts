import { endBySignal, main, status } from './cli/command.ts'
import { contentOption, outOption, stateOption } from './cli/options.ts'
import { outputOption } from './cli/output.ts'
import { createProgress } from './cli/progress.ts'
import { formatOption, parseFormat, report } from './cli/report.ts'
import { hasErrors } from './diagnostics/diagnostic.ts'
import { selectFiles } from './edit/selection.ts'
import { hostNames } from './hosts/hosts.ts'
import { check } from './snapshot/check.ts'
import { resolveContent } from './snapshot/state/folders.ts'
import { amount, seconds } from './text/amounts.ts'

main({
  name: 'npm run check',
  summary: 'check the content, and write nothing',
  operands: '[GLOB…]',
  options: {
    content: contentOption,
    out: outOption,
    state: stateOption,
    all: { description: 'look at every member anew, and take nothing from the last build' },
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
    const progress = createProgress(process.stderr, { env: process.env })
    const isSelected = selectFiles(operands, content)
    const {
      diagnostics: all,
      members,
      shots,
    } = await check({
      ...options,
      hostNames,
      onProgress: (done, total) => progress.update(done, total, 'members checked'),
    })
    progress.end()
    const diagnostics = all.filter(({ file, related = [] }) =>
      [file, ...related.map((one) => one.file)].some(isSelected),
    )
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
