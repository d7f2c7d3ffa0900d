import type { Format } from './format.ts'
import { github } from './github.ts'
import { json } from './json.ts'
import { lines } from './lines.ts'
import { pretty } from './pretty.ts'

/** What `--format` takes. To add a format is one file, and one line here. */
export const formats = { pretty, lines, github, json } as const satisfies Record<string, Format>
export type FormatName = keyof typeof formats
