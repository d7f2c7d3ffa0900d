import { main, shared } from './cli/command.ts'
import { report, tell, withProgress } from './cli/output.ts'
import { writeGallery } from './gallery/write.ts'
import { resolveContent } from './snapshot/folders.ts'
import { amount, grouped, seconds } from './text/amounts.ts'

main({
  name: 'npx shotpress gallery',
  summary: 'write pages that show members and works to everybody, for any static host',
  options: {
    ...shared('content'),
    out: { value: 'DIR', default: 'gallery', description: 'the folder of the pages' },
    drafts: { description: 'show drafts, too' },
    distrust: { description: 'make every page anew, and believe nothing of the state' },
  },
  notes: [
    'Only what changed is written. A folder that holds something else is refused.',
    'Exit status: 0 all members are there; 1 the content has errors (members with errors are left out); 2 it could not run.',
  ],
  run: async ({ options }) => {
    const start = performance.now()
    const { diagnostics, written } = await withProgress('members', (onProgress) =>
      writeGallery({
        ...options,
        onProgress,
        onDoubt: tell,
        onWait: () => tell(`waiting for another run that writes ${options.out}`),
      }),
    )
    const lines = written && [
      `${amount(written.members, 'member')}, ${amount(written.works, 'work')}`,
      `files: ${grouped(written.changed)} written, ${grouped(written.removed)} removed (${seconds(performance.now() - start)})`,
      ...(written.left.length === 0
        ? []
        : [`left out for their errors: ${written.left.join(', ')}`]),
    ]
    const content = resolveContent(options.content)
    return report(diagnostics, {
      format: 'pretty',
      content,
      closing: lines?.join('\n') ?? '',
    })
  },
})
