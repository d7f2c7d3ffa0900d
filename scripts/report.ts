import { endBySignal, main, shared } from './cli/command.ts'
import {
  lookOf,
  status,
  report as tellErrors,
  withProgress,
  writeResult,
} from './cli/output.ts'
import { errorsIn, UserError } from './problems/diagnostic.ts'
import { formats, picturesRoom } from './report/formats.ts'
import { readReport, report } from './report/report.ts'
import { parseAuthor } from './report/verdict.ts'
import { resolveContent } from './snapshot/folders.ts'

main({
  name: 'npx shotpress report',
  summary: 'compare what the API will serve with what it serves at the base',
  options: {
    base: {
      value: 'REV|DIR',
      description:
        'compare with a revision of the repository (main, HEAD^1), or with a folder of content (../main/content)',
    },
    author: {
      value: 'ID',
      description:
        'judge whose change it is, by the number of the account of its author at the forge',
    },
    from: { value: 'FILE', description: 'print a report again that --format json has made' },
    ...shared('content'),
    out: {
      ...shared('out').out,
      description: 'the snapshot whose state tells which members are known already',
    },
    format: {
      value: 'FORMAT',
      choices: Object.keys(formats) as readonly (keyof typeof formats)[],
      default: 'pretty',
      description: 'how to print it',
    },
    ...shared('output'),
    limit: {
      value: 'BYTES',
      number: { takes: 'a number of bytes', least: 100, most: 999_999_999 },
      default: '1000000',
      description:
        'the most that markdown may take, such as 65000 for a comment; the rest is left out, and said',
    },
  },
  notes: [
    'A base with a slash, or one that begins with a dot, is a folder; anything else is a revision.',
    'Exit status: 0 both could be compared, 1 the content has errors (valid members are compared all the same), 2 it could not run.',
  ],
  run: async ({ options }) => {
    endBySignal()
    const { base, from, content, format, output, limit } = options
    if ((base === undefined) === (from === undefined)) {
      throw new UserError(
        `there is ${base === undefined ? 'nothing' : 'too much'} to compare`,
        {
          hint: 'write --base main, or --base ../main/content; or --from FILE alone',
        },
      )
    }
    const author = options.author === undefined ? undefined : parseAuthor(options.author)
    if (author !== undefined && base === undefined) {
      throw new UserError('--author needs --base, not --from', {
        hint: 'a verdict is made from the repository, never from a file',
      })
    }
    const now = new Date().toISOString().slice(0, 19).replace('T', ' ')
    const result =
      base === undefined
        ? readReport(from!)
        : await withProgress('members', (onProgress) =>
            report({
              ...options,
              base,
              author,
              now,
              onProgress,
              picturesRoom: format === 'html' ? picturesRoom : undefined,
            }),
          )
    writeResult(formats[format](result, { ...lookOf(process.stdout, output), limit }), output)
    const errors = errorsIn(result.diagnostics)
    if (errors.length === 0) return status.done
    // what programs read has no place for them
    if (format === 'json')
      await tellErrors(errors, { format: 'pretty', content: resolveContent(content) })
    return status.no
  },
})
