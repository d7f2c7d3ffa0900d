import type { Format } from './format.ts'
import { github } from './github.ts'
import { json } from './json.ts'

/** Most runs have nothing to show, and needn't wait for what measures the width of text. */
const pretty: Format = async (diagnostics, surroundings) =>
  diagnostics.length === 0 ? '' : (await import('./pretty.ts')).pretty(diagnostics, surroundings)

/** What `--format` takes. To add a format is one file, and one line here. */
export const formats = { pretty, github, json } as const satisfies Record<string, Format>
export type FormatName = keyof typeof formats
