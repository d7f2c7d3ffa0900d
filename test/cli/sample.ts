import { main } from '../../scripts/cli/command.ts'
import { status } from '../../scripts/cli/output.ts'
import { UserError } from '../../scripts/problems/diagnostic.ts'

// A command that answers with what it was given, or fails as it is told.
main({
  name: 'npx shotpress sample',
  summary: 'say what was understood',
  operands: 'WORD [WORD] [WORD]',
  example: 'hello',
  options: {
    content: { value: 'DIR', default: 'content', description: 'the content folder' },
    sample: {
      value: 'N',
      description: 'how many; this text is long enough to be broken into two lines or more',
    },
    all: { description: 'all of them' },
    format: { value: 'FORMAT', choices: ['pretty', 'json'], description: 'how to say it' },
    'Base-Url': { description: 'a name with capitals' },
    'no-alias': { description: 'a name that says no' },
  },
  notes: [
    'A note stands below the options, and a long one is broken into lines as all else is.',
  ],
  run: async ({ operands, options }) => {
    if (operands[0] === 'user-error')
      throw new UserError('no \u001b[31mfolder', { hint: 'make one' })
    if (operands[0] === 'defect') throw new TypeError('not \u001bso')
    if (operands[0] === 'text') throw 'no \u001berror'
    if (operands[0] === 'no') return status.no
    process.stdout.write(`${JSON.stringify({ operands, ...options })}\n`)
    return status.done
  },
})
