import path from 'node:path'
import { endBySignal, main, shared } from './cli/command.ts'
import { report, tell } from './cli/output.ts'
import { hasErrors, UserError } from './problems/diagnostic.ts'
import { merge } from './snapshot/merge.ts'
import { parsePublication } from './snapshot/publication.ts'
import { amount, seconds } from './text/amounts.ts'

main({
  name: 'npx shotpress merge',
  summary: 'make one snapshot of all shards: find what clashes, write the list',
  operands: 'DIR…',
  example: 'dist-1 dist-2',
  options: {
    out: {
      ...shared('out').out,
      description: "where the list goes, and what is no member's",
    },
    state: {
      value: 'DIR',
      repeats: true,
      description:
        'where the state of the shards is, once for each DIR, as it was given to build',
    },
    ...shared('allow-removal', 'published', 'commit', 'format', 'output'),
    content: {
      ...shared('content').content,
      description: 'the content folder, to show lines of it if it is there',
    },
  },
  notes: [
    'DIR is the --out of a build with --shard I/N; all N of them are needed. Their files are neither copied nor changed: together with --out they are the snapshot. docs/scale.md says more.',
    '',
    'Exit status: 0 done, 1 something clashes and nothing was written, 2 it could not run.',
  ],
  run: async ({ operands, options }) => {
    endBySignal()
    const start = performance.now()
    if (options.state.length > 0 && options.state.length !== operands.length) {
      throw new UserError(
        `${amount(operands.length, 'shard')} and ${amount(options.state.length, '--state')}`,
        { hint: 'give --state once for each DIR, in the same order, or not at all' },
      )
    }
    const { diagnostics, members, shots, written, content } = await merge({
      ...options,
      shards: operands.map((out, at) => ({ out, state: options.state[at] })),
      publication: parsePublication(options),
      onWait: () => tell(`waiting for another build of ${options.out}`),
    })
    const closing = hasErrors(diagnostics)
      ? `nothing was written: ${options.out} is as it was`
      : `${amount(operands.length, 'shard')}: ${amount(members, 'member')}, ${amount(shots, 'shot')}; ` +
        `${amount(written, 'file')} written; ${seconds(performance.now() - start)}`
    const folder = { path: path.resolve(options.content), name: content }
    return report(diagnostics, { ...options, content: folder, closing })
  },
})
