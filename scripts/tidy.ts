import { createTwoFilesPatch } from 'diff'
import { main, shared } from './cli/command.ts'
import { openToWrite, selectFiles } from './cli/content.ts'
import { print, report, status, tell, withProgress } from './cli/output.ts'
import { listContentFiles, replaceText, shownPath, tidyFile } from './edit/files.ts'
import type { Diagnostic } from './problems/diagnostic.ts'
import { resolveContent } from './snapshot/folders.ts'
import { amount } from './text/amounts.ts'
import { printable } from './text/printable.ts'

const diffOf = (file: string, [before, after]: readonly [string, string]) => {
  const patch = createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after)
  const [, ...lines] = patch.trimEnd().split('\n')
  return lines.map((line) => `${printable(line).trimEnd()}\n`).join('')
}

main({
  name: 'npx shotpress tidy',
  summary:
    'put the keys of content files in the usual order, and change nothing that they say',
  operands: '[GLOB…]',
  options: {
    ...shared('content'),
    check: {
      description:
        'write nothing, list the files that would change; exit status 1 if there are any',
    },
    diff: { description: 'write nothing, show what would change' },
  },
  notes: [
    'Comments go with their keys; line ends become those of Unix, the last line gets one. Nothing else changes. A file that is broken, or in which an alias would come before its anchor, is left as it is.',
    'GLOB names files or folders, seen from the working folder; without one, all of the content is tidied. Quote patterns: "content/members/a*/**".',
    '',
    'Exit status: 0 done, 1 a file was left as it is, or --check found one to change, 2 it could not run.',
  ],
  run: async ({ operands, options }) => {
    const isDry = options.check || options.diff
    const content = isDry ? resolveContent(options.content) : openToWrite(options.content)
    const isSelected = selectFiles(operands, content)
    const files = listContentFiles(content).filter(({ below }) =>
      isSelected(shownPath(content, below)),
    )
    const diagnostics: Diagnostic[] = []
    const left: string[] = []
    let changed = 0
    await withProgress('files', async (onProgress) => {
      for (const [done, file] of files.entries()) {
        const shown = shownPath(content, file.below)
        const {
          before = '',
          text,
          refused,
          diagnostics: problems = [],
        } = tidyFile(content, file)
        for (const problem of problems) diagnostics.push(problem)
        if (refused !== undefined) left.push(`${shown} is left as it is: ${refused}`)
        else if (text !== before) {
          changed++
          if (!isDry) replaceText(content, file.below, { before, text })
          if (options.diff) process.stdout.write(diffOf(shown, [before, text]))
          else print(shown)
        }
        onProgress(done + 1, files.length)
      }
    })
    if (diagnostics.length > 0) report(diagnostics, { format: 'pretty', content })
    for (const line of left) tell(line)
    tell(`${amount(files.length, 'file')}, ${changed} ${isDry ? 'would change' : 'changed'}`)
    return left.length > 0 || (options.check && changed > 0) ? status.no : status.done
  },
})
