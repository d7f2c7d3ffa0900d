import { type Box, dataOf, inside, type Span } from './boxes.ts'
import { assertFew, broken, fourLetters } from './parts.ts'

/** Reads a track of an animation: where in the file its frames lie, or their transparency. Sound and text are none. */
export const readTrack = (
  file: Buffer,
  track: Box,
): { readonly frames: number; readonly spans: readonly Span[] } => {
  const media = inside(file, track, 'mdia')
  const handler = inside(file, media, 'hdlr')
  const kind = handler && fourLetters(dataOf(file, handler), 8)
  if (kind !== 'pict' && kind !== 'auxv') throw broken('it holds sound or text beside its pictures')
  const table = inside(file, inside(file, media, 'minf'), 'stbl')
  const sizes = inside(file, table, 'stsz')
  const runs = inside(file, table, 'stsc')
  const starts = inside(file, table, 'stco') ?? inside(file, table, 'co64')
  if (sizes === undefined || runs === undefined || starts === undefined)
    throw broken('its frames are not listed')
  const frames = dataOf(file, sizes).readUInt32BE(8)
  const spans = chunksIn({
    starts: dataOf(file, starts),
    startBytes: starts.type === 'co64' ? 8 : 4,
    sizes: dataOf(file, sizes),
    frames,
    runs: dataOf(file, runs),
  })
  return { frames: kind === 'pict' ? frames : 1, spans: [...spans] }
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

function* chunksIn({ starts, startBytes, sizes, frames, runs }: Table): Generator<Span> {
  const same = sizes.readUInt32BE(4)
  const chunkCount = starts.readUInt32BE(4)
  const runCount = runs.readUInt32BE(4)
  assertFew(chunkCount)
  let run = 0
  let frame = 0
  for (let chunk = 0; chunk < chunkCount; chunk += 1) {
    while (run + 1 < runCount && runs.readUInt32BE(20 + 12 * run) <= chunk + 1) run += 1
    const inChunk = runCount === 0 ? 0 : runs.readUInt32BE(12 + 12 * run)
    const last = Math.min(frame + inChunk, frames)
    const at = 8 + startBytes * chunk
    const from = startBytes === 8 ? Number(starts.readBigUInt64BE(at)) : starts.readUInt32BE(at)
    let to = from + same * (last - frame)
    if (same === 0)
      for (let one = frame; one < last; one += 1) to += sizes.readUInt32BE(12 + 4 * one)
    frame = last
    if (to > from) yield { from, to }
  }
}
