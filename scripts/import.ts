import { main, shared } from './cli/command.ts'
import { report, status, withProgress } from './cli/output.ts'
import { contentFolder } from './content/layout.ts'
import { parseAddresses } from './http/addresses.ts'
import { createSender } from './http/exchange.ts'
import { systemClock } from './import/fetch.ts'
import { importSite } from './import/import-site.ts'
import { table } from './import/prove.ts'
import { UserError } from './problems/diagnostic.ts'
import { amount, grouped } from './text/amounts.ts'

/** For one request as a whole. */
const timeoutMs = 30_000

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text)

main({
  name: 'npx shotpress import',
  summary: 'import members from a running API (the remote), or compare them with it',
  operands: 'URL [URL] [USERNAME…]',
  example: 'https://api.example.com ana',
  options: {
    ...shared('content'),
    users: { value: 'FILE', description: 'file of usernames, one a line; - is stdin' },
    state: {
      value: 'DIR',
      description:
        'what the remote said last (default: .shotpress/import beside the content)',
    },
    rate: {
      value: 'N',
      number: { takes: 'requests a second', least: 0.001, most: 999_999_999 },
      default: '10',
      description: 'requests a second over all connections',
    },
    insecure: { description: 'accept any certificate, such as a self-signed one' },
    'https-only': { description: 'ask for nothing over plain http, and let it be unproven' },
    offline: { description: 'ask for nothing at all: use what the remote said last' },
    prove: {
      description:
        'write nothing: compare what a build would publish with what the remote says',
    },
    strict: { description: 'with --prove: what was edited here, and what is lost, fails' },
    ours: { description: 'where both sides changed a value, the content is right' },
    theirs: { description: 'where both sides changed a value, the remote is right' },
    pictures: {
      description: 'fetch the pictures that addresses name, and store them in the content',
    },
    'allow-removal': {
      description: 'make drafts even if more than half of the shots vanished',
    },
    format: {
      value: 'FORMAT',
      choices: ['pretty', 'json'],
      default: 'pretty',
      description: 'how to print what is to be told',
    },
    ...shared('output'),
  },
  notes: [
    'One URL stands for both schemes of that origin; two are the https and the http one. Without usernames all members that were imported before are asked for.',
    'Each file that is written is one line on stdout.',
    'Exit status: 0 nothing is left to explain, 1 a conflict, an error or a difference, 2 it could not run. docs/import.md explains the rest.',
  ],
  run: async ({ operands, options }) => {
    if (options.ours && options.theirs)
      throw new UserError('--ours and --theirs exclude each other')
    const urls = operands.filter(isUrl)
    const addresses = parseAddresses(urls, 'import', { httpsOnly: options.httpsOnly })
    const sending = { insecure: options.insecure, timeoutMs }
    // import/fetch.ts asks again, with pauses
    const sender = createSender({
      ...sending,
      addresses,
      mostUnanswered: Infinity,
      repeats: 0,
    })
    const isJson = options.format === 'json'
    const content = contentFolder(options.content)
    const result = await withProgress('members', (onProgress) =>
      importSite({
        ...options,
        addresses,
        sender,
        onProgress,
        names: operands.filter((operand) => !isUrl(operand)),
        clock: systemClock,
        side: (['ours', 'theirs'] as const).find((side) => options[side]),
        openSender: (own, lookup) =>
          createSender({ ...sending, addresses: own, mostUnanswered: 3, repeats: 1, lookup }),
        onWritten: (files) => {
          if (!isJson)
            process.stdout.write(files.map((file) => `${content.name}/${file}\n`).join(''))
        },
      }),
    ).finally(sender.close)
    const members = amount(result.members, 'member')
    const answer = report(result.told, {
      ...options,
      content,
      page: 'docs/import.md',
    })
    if (options.prove && !isJson) process.stdout.write(table(result.tally))
    const requests = amount(sender.count(), 'request')
    process.stderr.write(
      options.prove
        ? `${members} compared with ${requests}: ${answer === status.done ? 'nothing is left to explain' : 'not the same'}\n`
        : `${members}, ${grouped(result.changed)} of them changed, ${amount(result.files, 'file')} written, ${requests}\n`,
    )
    if (result.stopped !== undefined) throw result.stopped
    return answer
  },
})
