import { main, status } from '../scripts/cli/command.ts'
import { count } from './count.ts'
import { site } from './site.ts'
import { writeFiles } from './write-files.ts'

main({
  name: 'node --import tsx bench/generate.ts',
  summary: 'write a synthetic content folder for measuring; the same seed gives the same bytes',
  options: {
    out: { value: 'DIR', default: 'bench-content', description: 'the folder to fill; it must not exist' },
    members: { value: 'N', default: '1000', description: 'number of members' },
    shots: { value: 'N', default: '20', description: 'shots a member on average' },
    seed: { value: 'N', default: '1', description: 'decides the content' },
  },
  run: async ({ options }) => {
    const files = site({
      members: count('members', options.members),
      shots: count('shots', options.shots),
      seed: count('seed', options.seed),
    })
    const { number, bytes } = writeFiles(options.out, files)
    process.stdout.write(`${options.out}: ${number} files, ${bytes} bytes\n`)
    return status.done
  },
})
