/** Names an id that is free. */
export type FreeId = (taken: string) => string | undefined

/** Makes a finder of free ids above a taken one, each of which it names once. It names none of more than 20 digits. */
export const createFreeId = (isTaken: (id: string) => boolean): FreeId => {
  let last = 0n
  return (taken) => {
    if (taken.length > 20) return undefined
    const start = BigInt(taken)
    let id = (start > last ? start : last) + 1n
    // ids mostly follow each other without gaps, so the steps grow
    for (let step = 1n, tries = 1; isTaken(String(id)); tries++) {
      id += step
      if (tries > 8) step *= 2n
    }
    last = id
    return String(id)
  }
}
