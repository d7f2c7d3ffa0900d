import { type Slot, slots } from '../state/slots.ts'

/**
 * Servers make an ETag of a file's size and its time of change, often in whole seconds. So that a changed file never
 * answers to an old tag, and no two variants or encodings share one, every build that changes something gets eight
 * seconds of its own, later than those of any build before, and every kind of file one of the eight. They have passed
 * when the build begins, unless another one was just before it: some servers tag a file of the future otherwise.
 */
export const nextBaseTime = (now: number, last: number): number =>
  Math.max(floor(now) - span, floor(last) + span)

const kinds = [...new Set(slots.map(({ variant, encoding }) => `${variant} ${encoding}`))]

/** Seconds that belong to one build: one for each kind of member's file, one for the rest, and two to spare. */
const span = Math.max(8, kinds.length + 1)

const floor = (seconds: number): number => Math.floor(seconds / span) * span

/** Time of change of a member's file, in seconds: by variant and encoding. */
export const slotTime = (baseTime: number, { variant, encoding }: Slot): number =>
  baseTime + kinds.indexOf(`${variant} ${encoding}`)

/** Time of change of SHA256SUMS, which tells the next build what the last baseTime was, and of other files. */
export const frameTime = (baseTime: number): number => baseTime + span - 1
