import { grouped } from '../text/amounts.ts'

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

/** Columns to write for; 80 where there is no terminal. */
export const columnsOf = (stream: Pick<Output, 'columns'>): number => stream.columns || 80

/** Says how far the work is: `(120, 1000, 'members')`. Cheap enough for every step of a loop. */
export type OnProgress = (done: number, total: number, what?: string) => void

/** Milliseconds of work before anything is shown, and between two pictures. */
const showAfterMs = 500
const redrawAfterMs = 100

/**
 * Shows how far some work is on one line of a terminal, which goes away when the work ends. It is drawn while the work
 * tells of itself, without timers, so that it works from a loop that never yields.
 */
export const withProgress = async <T>(
  counted: string,
  work: (onProgress: OnProgress) => Promise<T>,
  { stream = process.stderr as Output, env = process.env as Environment, now = () => performance.now() } = {},
): Promise<T> => {
  const isWatched = stream.isTTY === true && env.TERM !== 'dumb' && (!env.CI || env.CI === 'false')
  if (!isWatched) return work(() => {})
  let next = now() + showAfterMs
  let shown = false
  const onProgress: OnProgress = (done, total, what = counted) => {
    const time = now()
    if (time < next) return
    next = time + redrawAfterMs
    shown = true
    stream.write(`${clear}${picture(done, total, what).slice(0, columnsOf(stream) - 1)}`)
  }
  return work(onProgress).finally(() => {
    if (shown) stream.write(clear)
  })
}

/** Moves to the first column and erases the line. */
const clear = '\r\u001b[K'

const picture = (done: number, total: number, what: string): string => {
  const part = total > 0 ? Math.min(1, done / total) : 0
  const filled = Math.floor(part * 20)
  const percent = `${Math.floor(part * 100)}%`.padStart(4)
  return `${'━'.repeat(filled)}${'─'.repeat(20 - filled)} ${percent}  ${grouped(done)} of ${grouped(total)} ${what}`
}
