/** What the terminal's questions need of an output stream; `process.stderr` is one. */
export type Output = {
  readonly isTTY?: boolean | undefined
  /** Width of the terminal. */
  readonly columns?: number | undefined
  readonly write: (text: string) => unknown
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Whether to write colours to a stream: on a terminal that knows them, or where FORCE_COLOR asks for them. NO_COLOR
 * (https://no-color.org) has the last word.
 */
export const wantsColor = (stream: Pick<Output, 'isTTY'>, env: Environment): boolean => {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR)
  return stream.isTTY === true && env.TERM !== 'dumb'
}

/** Whether a line on the stream can be drawn anew, for somebody who watches. */
export const isInteractive = (stream: Pick<Output, 'isTTY'>, env: Environment): boolean =>
  stream.isTTY === true && env.TERM !== 'dumb' && (!env.CI || env.CI === 'false')

/** Columns to write for; 80 where there is no terminal. */
export const columnsOf = (stream: Pick<Output, 'columns'>): number => stream.columns || 80
