import type { Host } from './host.ts'

/** The head of a generated file: what it is for, then what the host cannot do; each line begins with `lead`. */
export const comment = (lead: string, lines: readonly string[], host: Pick<Host, 'cannot'>): string =>
  [...lines, ...(host.cannot.length === 0 ? [] : ['', 'What this host cannot do:', ...host.cannot.map(item)])]
    .map((line) => `${lead} ${line}`.trimEnd())
    .join('\n')

const item = (text: string): string => `- ${text}`
