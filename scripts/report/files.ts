import type { Body, View } from './difference.ts'

/** How many files of the snapshot change from one view to the other, and by how many bytes they grow. */
export const countFiles = (before: View, after: View) => {
  const [old, current] = [filesIn(before), filesIn(after)]
  let [written, bytes] = [0, 0]
  for (const [path, body] of current) {
    const known = old.get(path)
    if (known?.hash !== body.hash) written++
    bytes += body.bytes - (known?.bytes ?? 0)
  }
  const gone = [...old].filter(([path]) => !current.has(path))
  return { written, removed: gone.length, bytes: gone.reduce((sum, [, body]) => sum - body.bytes, bytes) }
}

const filesIn = (view: View): ReadonlyMap<string, Body> =>
  new Map([...view.values()].flatMap(({ files }) => [...files]))
