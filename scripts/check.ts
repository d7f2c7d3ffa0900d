import { endBySignal, main, status } from './cli/command.ts'
import { contentOption, outOption, stateOption } from './cli/options.ts'
import { createProgress } from './cli/progress.ts'
import { formatOption, parseFormat, report } from './cli/report.ts'
import { hasErrors } from './diagnostics/diagnostic.ts'
import { hostNames } from './hosts/hosts.ts'
import { check } from './snapshot/check.ts'
import { resolveContent } from './snapshot/state/folders.ts'
import { amount, seconds } from './text/amounts.ts'

main({
  name: 'npm run check',
  summary: 'check the content, and write nothing',
  options: {
    content: contentOption,
    out: outOption,
    state: stateOption,
    all: { description: 'look at every member anew, and take nothing from the last build' },
    format: formatOption,
  },
  notes: ['Exit status: 0 all is well, 1 something in the content is wrong, 2 it could not run.'],
  run: async ({ options }) => {
    endBySignal()
    const start = performance.now()
    const format = parseFormat(options.format)
    const content = resolveContent(options.content)
    const progress = createProgress(process.stderr, { env: process.env })
    const { diagnostics, members, shots } = await check({
      ...options,
      hostNames,
      onProgress: (done, total) => progress.update(done, total, 'members checked'),
    })
    progress.end()
    const wrong = hasErrors(diagnostics)
    const time = seconds(performance.now() - start)
    const closing = wrong
      ? ''
      : `${amount(members, 'member')}, ${amount(shots, 'shot')}: all is well (${time})`
    await report(diagnostics, { format, content, console: process, closing })
    return wrong ? status.no : status.done
  },
})
