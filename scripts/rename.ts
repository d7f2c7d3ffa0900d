import { main, status } from './cli/command.ts'
import { contentOption } from './cli/options.ts'
import { loadSite } from './cli/site.ts'
import { names } from './content/layout.ts'
import { foldUsername } from './content/username.ts'
import { findTaken, shownPath } from './edit/content-files.ts'
import { renameMember, requireFreeName, requireMember, warnOfDash } from './edit/members.ts'
import { UserError } from './problems/user-error.ts'
import { resolveContent } from './snapshot/folders.ts'
import { printable } from './text/printable.ts'

main({
  name: 'npm run rename',
  summary: 'give a member another username, and serve the old one on',
  operands: 'OLD NEW',
  options: {
    content: contentOption,
    'no-alias': { description: 'do not serve the old name on: it will answer 404' },
  },
  notes: ['Exit status: 0 done, 1 the new name is taken or reserved, 2 it could not run.'],
  run: async ({ operands: [from, to], options }) => {
    if (from === undefined || to === undefined) {
      throw new UserError('name the old and the new username', { hint: 'npm run rename -- ana ana-lima' })
    }
    const content = resolveContent(options.content)
    requireMember(from, content)
    if (from === to) throw new UserError(`"${from}" has this name already`)
    const taken = findTaken(content)
    const own = [...taken.names].filter(([, file]) =>
      file.startsWith(shownPath(content, `${names.members}/${from}/`)),
    )
    const free = {
      ...taken,
      names: new Map([...taken.names].filter((entry) => !own.some(([name]) => name === entry[0]))),
    }
    requireFreeName(to, { site: loadSite(options.content), taken: free })
    warnOfDash(to)
    const files = renameMember(content, { from, to, alias: !options['no-alias'] })
    for (const file of files) process.stdout.write(`${printable(shownPath(content, file))}\n`)
    const sameName = foldUsername(from) === foldUsername(to)
    process.stderr.write(
      sameName || options['no-alias']
        ? `${from} is ${to} now; the old ${sameName ? 'spelling' : 'name'} answers 404\n`
        : `${from} is ${to} now; clients that ask for ${from} are served on (aliases in the profile)\n`,
    )
    const [before, after] = [from, to].map((name) =>
      printable(shownPath(content, `${names.members}/${name}`)),
    )
    process.stderr.write(
      sameName
        ? // on Windows and macOS git doesn't see it
          `next: npm run check, then git rm -r -q --cached --ignore-unmatch "${before}"\nnext: git add "${after}"\n`
        : 'next: npm run check, then commit both the old and the new folder\n',
    )
    return status.done
  },
})
