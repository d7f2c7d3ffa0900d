import { main, shared } from './cli/command.ts'
import { print, tell } from './cli/output.ts'
import { openToWrite } from './cli/site.ts'
import { findContentFile, renumber, shownPath } from './edit/members.ts'
import { UserError } from './problems/diagnostic.ts'

main({
  name: 'npm run renumber',
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
    const file = findContentFile(content, name)
    if (file.kind === 'site') throw new UserError('site.yaml has no id', { hint: 'name a profile or a shot' })
    const { before = 'none', after, keptToken } = renumber(content, file)
    print(shownPath(content, file.below))
    tell(`id: ${before} → ${after}${keptToken ? '; the token stays' : ''}`)
  },
})
