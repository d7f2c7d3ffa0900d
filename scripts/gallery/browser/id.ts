/**
 * The id that is proposed for a name, as the program makes it: from the SHA-256 of `ana` or
 * `ana/tea-poster`. `''` where the browser makes none, as on pages over plain http; the check
 * proposes the same then.
 */
export const idOf = async (name: string): Promise<string> => {
  if (!globalThis.crypto?.subtle) return ''
  const bytes = new TextEncoder().encode(name.toLowerCase())
  const sum = new DataView(await crypto.subtle.digest('SHA-256', bytes))
  return String((sum.getUint32(0) % 900_000_000) + 100_000_000)
}
