/** Reads strings of ssh one after the other: four bytes of length, then so many bytes. */
export type Strings = {
  /** The next one; empty if there are not so many bytes. */
  readonly next: () => Buffer
  /** Whether all bytes were read, and none was missing. */
  readonly isDone: () => boolean
}

export const readStrings = (bytes: Buffer): Strings => {
  let [at, cut] = [0, false]
  return {
    next: () => {
      const start = at + 4
      const end = start <= bytes.length ? start + bytes.readUInt32BE(at) : Number.POSITIVE_INFINITY
      cut ||= end > bytes.length
      if (cut) return Buffer.alloc(0)
      at = end
      return bytes.subarray(start, end)
    },
    isDone: () => !cut && at === bytes.length,
  }
}

export const sshString = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** A positive number in so many bytes; `undefined` if it needs more. ssh puts a zero before a byte above 127. */
export const padNumber = (bytes: Buffer, length: number): Buffer | undefined => {
  const digits = bytes[0] === 0 ? bytes.subarray(1) : bytes
  if (digits.length > length) return undefined
  return Buffer.concat([Buffer.alloc(length - digits.length), digits])
}
