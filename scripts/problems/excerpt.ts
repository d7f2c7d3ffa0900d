import { type Cell, cells, widthOf } from '../text/cells.ts'

/** A line of a file as it is shown, and where to put the marks below it. */
export type Excerpt = {
  readonly text: string
  /** Columns before the marks. */
  readonly indent: number
  /** Columns of the marks; at least 1. */
  readonly width: number
}

/**
 * What fits into `room` columns of a line, around the stretch from `from` to `to` (UTF-16 units from 0; beyond the
 * end is the end). `…` stands for what is cut.
 */
export const excerpt = (line: string, stretch: { from: number; to: number }, room: number): Excerpt => {
  // A line may be a whole file of 1 MiB with a thousand problems on it: look at no more than can be shown.
  const skipped = Math.max(0, Math.min(stretch.from, line.length) - 2 * room)
  const cut = skipped + 6 * room
  const row = cells(line.slice(skipped, cut))
  const first = indexAt(row, stretch.from - skipped)
  const last = Math.max(first, indexAt(row, stretch.to - 1 - skipped) + 1)
  const { start, end } = view(row, { first, last }, room)
  const lead = start > 0 || skipped > 0 ? '…' : ''
  const trail = end < row.length || cut < line.length ? '…' : ''
  const shown = row.slice(start, end)
  return {
    text: lead + shown.map((cell) => cell.text).join('') + trail,
    indent: lead.length + widthOf(row.slice(start, first)),
    width: Math.max(1, widthOf(row.slice(first, Math.min(last, end)))),
  }
}

/** The cell that holds an offset; the row's length for an offset after the last cell. */
const indexAt = (row: readonly Cell[], offset: number): number => {
  const index = row.findIndex((cell) => cell.end > offset)
  return index === -1 ? row.length : index
}

/** The cells to show: all, or a little of what comes before, the stretch, and as much of both sides as fits. */
const view = (row: readonly Cell[], stretch: { first: number; last: number }, room: number) => {
  if (widthOf(row) <= room) return { start: 0, end: row.length }
  let [start, end] = [stretch.first, stretch.first]
  let left = room - 2
  const grow = (side: 'before' | 'after'): boolean => {
    const cell = row[side === 'before' ? start - 1 : end]
    if (cell === undefined || cell.width > left) return false
    left -= cell.width
    if (side === 'before') start--
    else end++
    return true
  }
  while (left > room * 0.75 && grow('before'));
  while (end < stretch.last && grow('after'));
  while ([grow('before'), grow('after')].includes(true));
  return { start, end }
}
