import { type FormatName, formats } from '../problems/formats.ts'

/** Options that several commands share. */
export const contentOption = { value: 'DIR', default: 'content', description: 'the content folder' } as const
export const outOption = { value: 'DIR', default: 'dist', description: 'the snapshot' } as const
export const stateOption = {
  value: 'DIR',
  description:
    'where builds keep what they need, in a folder for each snapshot (default: .shotpress beside the snapshot)',
} as const
export const shardOption = {
  value: 'I/N',
  description: 'only the members of shard I of N; npm run merge puts all together',
} as const
export const formatOption = {
  value: 'FORMAT',
  choices: Object.keys(formats) as readonly FormatName[],
  default: 'pretty',
  description: 'how to print what is wrong',
} as const
export const outputOption = {
  value: 'FILE',
  description: 'write the result to this file, not to stdout',
} as const
