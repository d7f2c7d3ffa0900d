import { requestPath, userRoute } from './api/routes.ts'
import { main, shared, shellWord } from './cli/command.ts'
import { openEditing } from './cli/content.ts'
import { advise, print } from './cli/output.ts'
import { memberFolder } from './content/layout.ts'
import { shownPath } from './edit/files.ts'
import { removeMember } from './edit/members.ts'
import { repositoryOf } from './files/git.ts'

main({
  name: 'npx shotpress remove',
  summary: 'take a member out, and keep the name from being taken by somebody else',
  operands: 'USERNAME',
  example: 'ana',
  options: {
    ...shared('content'),
    'no-reserve': { description: 'leave the name and its aliases free for others' },
  },
  notes: [
    'Exit status: 0 done, 2 it could not run. docs/crowd.md says more of what stays elsewhere.',
  ],
  run: async ({ operands: [username = ''], options }) => {
    const editing = openEditing(options.content)
    const { content } = editing
    const { files, reserved, had } = removeMember(
      { username, reserve: !options.noReserve },
      editing,
    )
    for (const file of files) print(shownPath(content, file))
    // git counts from the top of the work tree
    const { top, prefix } = repositoryOf(content.path)
    const root = top === undefined ? `${content.name}/` : prefix
    const folders = had.map((one) => `${root}${memberFolder(one, content)}/`)
    const paths = folders.map((one) => `--path ${shellWord(one)}`).join(' ')
    advise(`${username} is removed from the content`)
    if (reserved.length > 0)
      advise(`reserved in site.yaml, so that nobody else takes it: ${reserved.join(', ')}`)
    advise(
      'next: npx shotpress check, then commit. Until these are done, others still hold copies:',
    )
    advise(
      `the host, until: npx shotpress build, npx shotpress deploy REMOTE --purge addresses.txt`,
      '  - ',
    )
    advise(
      `caches, for five minutes, and pictures for a year, until the addresses are purged`,
      '  - ',
    )
    advise(
      `git, in its history: git filter-repo --invert-paths ${paths}, then push by force`,
      '  - ',
    )
    advise(`the forge, in pull requests and forks: ask its support`, '  - ')
    advise(`mirrors, until they run again; who keeps copies has to be asked`, '  - ')
    advise(`see whether it is gone: curl -i BASE_URL${requestPath(userRoute, username)}`)
  },
})
