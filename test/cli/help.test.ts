import { expect, test } from 'vitest'
import { help } from '../../scripts/cli/help.ts'

test('--help names the command, its use, every option with its default, and the notes, in 80 columns', () => {
  const text = help({
    name: 'npm run sample',
    summary: 'say what was understood, in so many words that the line has to be broken somewhere',
    operands: 'URL [URL]',
    options: {
      content: { value: 'DIR', default: 'content', description: 'the content folder' },
      all: { description: 'all of them, and a description that is long enough to be broken into two lines' },
    },
    notes: [
      'A note stands below the options, and a long one is broken into lines just like everything else.',
    ],
  })
  expect(text).toBe(`npm run sample: say what was understood, in so many words that the line has to
be broken somewhere

  npm run sample -- URL [URL] [options]

  --content DIR  the content folder (default: content)
  --all          all of them, and a description that is long enough to be broken
                 into two lines
  --help         show this text

A note stands below the options, and a long one is broken into lines just like
everything else.
`)
})
