import { main, shared } from './cli/command.ts'
import { openEditing } from './cli/content.ts'
import { advise, print, tell } from './cli/output.ts'
import { memberFolder } from './content/layout.ts'
import { foldUsername } from './content/username.ts'
import { shownPath } from './edit/files.ts'
import { renameMember } from './edit/members.ts'

main({
  name: 'npx shotpress rename',
  summary: 'give a member another username, and keep the old one as an alias',
  operands: 'OLD NEW',
  example: 'ana ana-lima',
  options: {
    ...shared('content'),
    'no-alias': { description: 'keep no alias: the old name will answer 404' },
  },
  notes: ['Exit status: 0 done, 1 the new name is taken or reserved, 2 it could not run.'],
  run: async ({ operands: [from = '', to = ''], options }) => {
    const editing = openEditing(options.content)
    const { content } = editing
    const files = renameMember({ from, to, alias: !options.noAlias }, editing)
    for (const file of files) print(shownPath(content, file))
    const [before, after] = [from, to].map((name) =>
      shownPath(content, memberFolder(name, content)),
    )
    if (foldUsername(from) === foldUsername(to)) {
      advise(`${from} is ${to} now; the old spelling answers 404`)
      // on Windows and macOS git doesn't see it
      tell(
        `next: npx shotpress check, then git rm -r -q --cached --ignore-unmatch "${before}"`,
      )
      tell(`next: git add "${after}"`)
      return
    }
    advise(
      options.noAlias
        ? `${from} is ${to} now; the old name answers 404`
        : `${from} is ${to} now; clients that ask for ${from} still get an answer (aliases in the profile)`,
    )
    advise('next: npx shotpress check, then commit both the old and the new folder')
  },
})
