import { main, shared } from './cli/command.ts'
import { loadSite } from './cli/content.ts'
import { tell, withProgress, writeResult } from './cli/output.ts'
import {
  type Deployed,
  deploy,
  inSession,
  openRemote,
  type Session,
} from './deploy/deploy.ts'
import { addressesOf, isRemoval, type Plan } from './deploy/plan.ts'
import { UserError } from './problems/diagnostic.ts'
import { amount, grouped, seconds } from './text/amounts.ts'
import { printable, quote } from './text/printable.ts'

/** What was, or would be, changed. */
const told = ({ plan, publication }: Deployed, dryRun: boolean): readonly string[] => {
  const { upload, remove, bytes, files, changes } = plan
  const unchanged = `${grouped(files - upload)} as published`
  const listed = upload > 0 || publication.length === 0
  const what = [
    ...(listed ? [`${amount(upload, 'file')} (${grouped(bytes)} bytes)`] : []),
    ...publication,
  ].join(', ')
  if (!dryRun) return [`${what} uploaded, ${grouped(remove)} removed, ${unchanged}`]
  const examples = changes.slice(0, 20)
  const more = changes.length - examples.length
  return [
    ...examples.map((change) => `${isRemoval(change) ? 'remove' : 'upload'} ${change.path}`),
    ...(more > 0 ? [`… and ${grouped(more)} more`] : []),
    `would upload ${what} and remove ${grouped(remove)}; ${unchanged}`,
  ]
}

/**
 * Writes the addresses that caches have to forget; before the first change, so that a broken
 * deployment misses none.
 */
const createAddressFile = (file: string, content: string) => {
  const site = loadSite(content)
  if (site === undefined) {
    throw new UserError(
      `there is no site.yaml in ${quote(content)}, and --purge needs its base_url`,
      {
        hint: 'name the content folder with --content DIR',
      },
    )
  }
  return ({ changed }: Plan) => {
    const addresses = new Set(changed.flatMap((path) => addressesOf(path, site.baseUrl)))
    writeResult([...addresses].map((address) => `${address}\n`).join(''), file)
  }
}

main({
  name: 'npx shotpress deploy',
  summary: 'publish the snapshot: upload what changed, remove what went',
  operands: 'REMOTE',
  example: 'store:bucket/path, or ./public for a folder',
  options: {
    ...shared('out'),
    'dry-run': { description: 'only say what would happen' },
    purge: {
      value: 'FILE',
      description: 'write the addresses that caches have to forget, one a line',
    },
    'allow-removal': {
      description: 'go on if more than half of the members, and more than five, are to go',
    },
    content: {
      ...shared('content').content,
      description: 'the content folder; --purge takes base_url from its site.yaml',
    },
  },
  notes: [
    'REMOTE is a remote of rclone with a path, such as store:bucket/path, or a folder, such as ./public.',
    'The list of what was published last is SHA256SUMS at the remote. docs/deploy.md says more.',
    '',
    'Exit status: 0 done, 1 too many members would go, 2 it could not be done; run again to complete it.',
  ],
  run: async ({ operands: [remote = ''], options }) => {
    const start = performance.now()
    const { out, content, dryRun } = options
    const onPlan =
      options.purge === undefined ? () => {} : createAddressFile(options.purge, content)
    const work = async (session: Session) => {
      const onWait = () => tell(`waiting for another deployment to ${remote}`)
      const store = await openRemote(remote, { ...session, content, onWait })
      return withProgress('files', (onProgress) =>
        deploy({ ...options, ...session, store, onPlan, onProgress }),
      ).finally(store.close)
    }
    const onWait = () => tell(`waiting for another build or deployment of ${out}`)
    const result = await inSession(out, work, { onWait })
    const lines = told(result, dryRun)
    const time = dryRun ? '' : `; ${seconds(performance.now() - start)}`
    process.stdout.write(`${lines.map(printable).join('\n')}${time}\n`)
  },
})
