import { main, shared } from './cli/command.ts'
import { openToWrite, selectFiles } from './cli/content.ts'
import { print, tell } from './cli/output.ts'
import { listContentFiles, renumber, shownPath } from './edit/members.ts'
import { UserError } from './problems/diagnostic.ts'
import { quote } from './text/printable.ts'

main({
  name: 'npx shotpress renumber',
  summary: 'give a shot or a member another free id',
  operands: 'FILE',
  example: 'content/members/ana/shots/poster.yaml',
  options: shared('content'),
  notes: [
    'For an id that somebody else took in the meantime. A shot that was alone with its id keeps the token that clients know.',
    '',
    'Exit status: 0 done, 2 it could not run.',
  ],
  run: async ({ operands: [name = ''], options }) => {
    const content = openToWrite(options.content)
    const isNamed = selectFiles([name], content)
    const [file, another] = listContentFiles(content).filter((one) => isNamed(shownPath(content, one.below)))
    if (file === undefined || file.kind === 'site' || another !== undefined)
      throw new UserError(`${quote(name)} is not one profile or shot`, { hint: 'name its file' })
    const { before = 'none', after, keptToken } = renumber(content, file)
    print(shownPath(content, file.below))
    tell(`id: ${before} → ${after}${keptToken ? '; the token stays' : ''}`)
  },
})
