import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { main, status } from '../scripts/cli/command.ts'
import { UserError } from '../scripts/problems/user-error.ts'
import { site } from './site.ts'

main({
  name: 'node --import tsx bench/generate.ts',
  summary: 'write a synthetic content folder for measuring; the same seed gives the same bytes',
  options: {
    out: { value: 'DIR', default: 'bench-content', description: 'the folder to fill; it must not exist' },
    members: { value: 'N', default: '1000', description: 'number of members' },
    shots: { value: 'N', default: '20', description: 'shots a member on average' },
    seed: { value: 'N', default: '1', description: 'decides the content' },
  },
  run: async ({ options: { out, ...options } }) => {
    if (existsSync(out))
      throw new UserError(`${out} exists already`, { hint: 'name a new folder with --out' })
    const [members, shots, seed] = [options.members, options.shots, options.seed].map((text) => {
      if (/^[0-9]{1,7}$/.test(text)) return Number(text)
      throw new UserError(`"${text}" is no number`, { hint: 'write digits, such as 1000' })
    })
    let number = 0
    for (const { path, text } of site({ members: members!, shots: shots!, seed: seed! })) {
      const file = join(out, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      number++
    }
    process.stdout.write(`${out}: ${number} files\n`)
    return status.done
  },
})
