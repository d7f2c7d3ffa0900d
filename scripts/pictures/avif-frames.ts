import { createReader, inside } from './boxes.ts'
import { assertFew, broken, fourLetters } from './parts.ts'

/** Reads a track of an animation: its frames, or their transparency, as pieces of the file. Sound and text are none. */
export const readTrack = (file: Buffer, track: Buffer) => {
  const media = inside(track, 'mdia')
  const handler = inside(media, 'hdlr')
  const kind = handler && fourLetters(handler, 8)
  if (kind !== 'pict' && kind !== 'auxv') throw broken('it holds sound or text beside its pictures')
  const table = inside(media, 'minf', 'stbl')
  const sizes = inside(table, 'stsz')
  /** From which chunk of frames on a chunk has how many. */
  const runs = inside(table, 'stsc')
  const near = inside(table, 'stco')
  /** Where each chunk begins. */
  const starts = near ?? inside(table, 'co64')
  if (sizes === undefined || runs === undefined || starts === undefined)
    throw broken('its frames are not listed')
  // the size that all frames have; or 0, and that of each stands behind
  const same = sizes.readUInt32BE(4)
  const frames = sizes.readUInt32BE(8)
  const chunks = starts.readUInt32BE(4)
  const lastRun = runs.readUInt32BE(4) - 1
  const nextStart = createReader(starts, 8)
  const pieces: Buffer[] = []
  assertFew(chunks)
  let run = 0
  let frame = 0
  for (let chunk = 1; chunk <= chunks; chunk += 1) {
    while (run < lastRun && runs.readUInt32BE(20 + 12 * run) <= chunk) run += 1
    const inChunk = lastRun < 0 ? 0 : runs.readUInt32BE(12 + 12 * run)
    const last = Math.min(frame + inChunk, frames)
    const from = nextStart(near ? 4 : 8)
    let to = from + same * (last - frame)
    if (same === 0) for (; frame < last; frame += 1) to += sizes.readUInt32BE(12 + 4 * frame)
    frame = last
    if (to > file.length) throw broken()
    pieces.push(file.subarray(from, to))
  }
  return { frames: kind === 'pict' ? frames : 1, pieces }
}
