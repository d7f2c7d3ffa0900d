import { type FormatName, formats } from '../problems/formats.ts'

const common = {
  content: { value: 'DIR', default: 'content', description: 'the content folder' },
  out: { value: 'DIR', default: 'dist', description: 'the snapshot' },
  state: {
    value: 'DIR',
    description:
      'where builds keep what they need, in a folder for each snapshot (default: .shotpress beside the snapshot)',
  },
  shard: {
    value: 'I/N',
    description: 'only the members of shard I of N; npm run merge puts all together',
  },
  'allow-removal': { description: 'go on where most of the members would be removed' },
  format: {
    value: 'FORMAT',
    choices: Object.keys(formats) as readonly FormatName[],
    default: 'pretty',
    description: 'how to print what is wrong',
  },
  output: { value: 'FILE', description: 'write the result to this file, not to stdout' },
} as const

/** Options that several commands share: `...shared('content', 'out')`. */
export const shared = <K extends keyof typeof common>(...names: readonly K[]): Pick<typeof common, K> =>
  Object.fromEntries(names.map((name) => [name, common[name]])) as Pick<typeof common, K>
