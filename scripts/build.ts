import { sumsFile } from './api/routes.ts'
import { endBySignal, main, shared } from './cli/command.ts'
import { report, tell, withProgress } from './cli/output.ts'
import { findEntry } from './files/folder.ts'
import { hostWarnings } from './hosts/hosts.ts'
import { hasErrors, UserError } from './problems/diagnostic.ts'
import { type BuildResult, build } from './snapshot/build.ts'
import { resolveContent } from './snapshot/folders.ts'
import { parsePublication } from './snapshot/publication.ts'
import { parseShard } from './snapshot/shard.ts'
import { amount, grouped, seconds } from './text/amounts.ts'

const sentence = ({ members, compiled, shots, written, unchanged, removed }: BuildResult) =>
  `${amount(members, 'member')} (${grouped(compiled)} compiled), ${amount(shots, 'shot')}; ` +
  `${amount(written, 'file')} written, ${grouped(unchanged)} unchanged, ${grouped(removed)} removed`

/**
 * Whether nobody but this user may read the snapshot, going by SHA256SUMS, which is written
 * with every change.
 */
const isPrivate = (out: string) =>
  process.platform !== 'win32' && ((findEntry(out, sumsFile)?.mode ?? 0o044) & 0o044) === 0

main({
  name: 'npx shotpress build',
  summary: 'check the content, then write the snapshot',
  options: {
    ...shared('content', 'out', 'state', 'shard'),
    distrust: {
      description:
        'compile every member anew, and believe nothing of the state but file times',
    },
    ...shared('allow-removal', 'published', 'commit', 'format', 'output'),
  },
  notes: [
    'What the build needs for itself is in .shotpress beside the snapshot, and may be deleted at the cost of time only.',
    '',
    'Exit status: 0 done, 1 something in the content is wrong and the snapshot is as it was, 2 it could not run.',
  ],
  run: async ({ options }) => {
    endBySignal()
    const start = performance.now()
    const content = resolveContent(options.content)
    const shard = parseShard(options.shard)
    const publication = parsePublication(options)
    if (shard !== undefined && publication !== undefined) {
      throw new UserError('a shard is not published alone', {
        hint: 'give --published to npx shotpress merge',
      })
    }
    const onWait = () => tell(`waiting for another build of ${options.out}`)
    const result = await withProgress('members', (onProgress) =>
      build({
        ...options,
        shard,
        publication,
        onProgress,
        onWait,
        onDoubt: tell,
      }),
    )
    if (result.written > 0 && isPrivate(options.out)) {
      tell(`warning: nobody but you may read ${options.out}, so a server can't`)
      tell('  hint: build with umask 022, or run chmod -R a+rX on it')
    }
    const { tools, diagnostics, members, aliases, largest, written, unchanged } = result
    const { site, siteAt } = tools
    const wrong = hasErrors(diagnostics)
    const names = members + aliases.length
    const extent = { largest, names, files: written + unchanged }
    const warnings = wrong || site === undefined ? [] : hostWarnings(site, siteAt, extent)
    const closing = wrong
      ? `nothing was written: ${options.out} is as it was`
      : `${sentence(result)}; ${seconds(performance.now() - start)}`
    return report([...diagnostics, ...warnings], { ...options, content, closing })
  },
})
