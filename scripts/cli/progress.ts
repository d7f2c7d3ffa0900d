import { grouped } from '../text/amounts.ts'
import { columnsOf, type Environment, isInteractive, type Output } from './terminal.ts'

export type Progress = {
  /** Says how far the work is: `update(120, 1000, 'members')`. Cheap enough for every step of a loop. */
  readonly update: (done: number, total: number, what: string) => void
  /** Erases the line. */
  readonly end: () => void
}

export type ProgressOptions = {
  readonly env: Environment
  /** Milliseconds since some fixed moment. */
  readonly now?: () => number
}

/** Milliseconds of work before anything is shown, and between two pictures. */
const showAfterMs = 500
const redrawAfterMs = 100

/**
 * One line about long work, on a terminal only. It draws inside `update`, without timers, so that it works from a
 * loop that never yields.
 */
export const createProgress = (stream: Output, options: ProgressOptions): Progress => {
  const { env, now = () => performance.now() } = options
  if (!isInteractive(stream, env)) return { update: () => {}, end: () => {} }
  let next = now() + showAfterMs
  let shown = false
  return {
    update: (done, total, what) => {
      const time = now()
      if (time < next) return
      next = time + redrawAfterMs
      shown = true
      stream.write(`${clear}${picture(done, total, what).slice(0, columnsOf(stream) - 1)}`)
    },
    end: () => {
      if (shown) stream.write(clear)
      shown = false
    },
  }
}

/** Moves to the first column and erases the line. */
const clear = '\r\u001b[K'

const picture = (done: number, total: number, what: string): string => {
  const part = total > 0 ? Math.min(1, done / total) : 0
  const filled = Math.floor(part * 20)
  const percent = `${Math.floor(part * 100)}%`.padStart(4)
  return `${'━'.repeat(filled)}${'─'.repeat(20 - filled)} ${percent}  ${grouped(done)} of ${grouped(total)} ${what}`
}
