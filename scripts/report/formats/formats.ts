import { outline, type Told } from '../outline.ts'
import type { Surroundings } from './format.ts'
import { html } from './html.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { pretty } from './pretty.ts'

/** What `--format` takes. To add a format is one file, and one line here. */
export const formats = {
  pretty: (report, surroundings) => pretty(outline(report), surroundings),
  markdown: (report, surroundings) => markdown(outline(report), surroundings),
  json: (report) => json(report),
  html: (report, surroundings) => html(outline(report), surroundings),
} as const satisfies Record<string, (report: Told, surroundings: Surroundings) => string>

export type FormatName = keyof typeof formats
