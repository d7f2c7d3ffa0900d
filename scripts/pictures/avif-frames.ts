import { createReader, inside } from './boxes.ts'
import { assertFew, broken, fourLetters } from './parts.ts'

/** Reads a track of an animation: its frames, or their transparency, as pieces of the file. Sound and text are none. */
export const readTrack = (
  file: Buffer,
  track: Buffer,
): { readonly frames: number; readonly pieces: readonly Buffer[] } => {
  const media = inside(track, 'mdia')
  const handler = inside(media, 'hdlr')
  const kind = handler && fourLetters(handler, 8)
  if (kind !== 'pict' && kind !== 'auxv') throw broken('it holds sound or text beside its pictures')
  const table = inside(media, 'minf', 'stbl')
  const sizes = inside(table, 'stsz')
  const runs = inside(table, 'stsc')
  const near = inside(table, 'stco')
  const starts = near ?? inside(table, 'co64')
  if (sizes === undefined || runs === undefined || starts === undefined)
    throw broken('its frames are not listed')
  const frames = sizes.readUInt32BE(8)
  const pieces = [...chunksIn(file, { starts, startBytes: near ? 4 : 8, sizes, frames, runs })]
  return { frames: kind === 'pict' ? frames : 1, pieces }
}

type Table = {
  /** Where each chunk of frames begins. */
  readonly starts: Buffer
  readonly startBytes: 4 | 8
  /** The size that all frames have; or 0, and that of each. */
  readonly sizes: Buffer
  readonly frames: number
  /** From which chunk on a chunk has how many frames. */
  readonly runs: Buffer
}

function* chunksIn(file: Buffer, { starts, startBytes, sizes, frames, runs }: Table) {
  const same = sizes.readUInt32BE(4)
  const chunkCount = starts.readUInt32BE(4)
  const runCount = runs.readUInt32BE(4)
  const nextStart = createReader(starts, 8)
  assertFew(chunkCount)
  let run = 0
  let frame = 0
  for (let chunk = 1; chunk <= chunkCount; chunk += 1) {
    while (run + 1 < runCount && runs.readUInt32BE(20 + 12 * run) <= chunk) run += 1
    const inChunk = runCount === 0 ? 0 : runs.readUInt32BE(12 + 12 * run)
    const last = Math.min(frame + inChunk, frames)
    const from = nextStart(startBytes)
    let to = from + same * (last - frame)
    if (same === 0) for (; frame < last; frame += 1) to += sizes.readUInt32BE(12 + 4 * frame)
    frame = last
    if (to > file.length) throw broken()
    yield file.subarray(from, to)
  }
}
