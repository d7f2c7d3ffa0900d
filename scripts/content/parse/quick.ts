import type { Data } from './data.ts'
import { readTree } from './reader.ts'

/** What a text says where the reader is sure of it, and no comment may have cut a value short. */
export const quickParse = (source: string): Data | undefined => {
  const { tree, mayBeCut = true } = readTree(source) ?? {}
  return mayBeCut ? undefined : tree?.data
}
