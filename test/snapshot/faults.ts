import fs from 'node:fs'
import { vi } from 'vitest'

/** The calls that need room or leave to change the disk. */
const changing = ['openSync', 'writeFileSync', 'futimesSync', 'mkdirSync', 'renameSync'] as const

/** Makes the disk refuse the call of that number, counted from 0, and all that follow; says how to count and stop. */
export const refuseFrom = (
  number: number,
  code: string,
): { readonly calls: () => number; readonly stop: () => void } => {
  let calls = 0
  for (const name of changing) {
    const real = fs[name] as (...args: unknown[]) => unknown
    vi.spyOn(fs, name as 'openSync').mockImplementation(((...args: unknown[]) => {
      const creates = typeof args[1] === 'number' && (args[1] & fs.constants.O_CREAT) !== 0
      if (name === 'openSync' && !creates) return real(...args)
      if (calls++ >= number)
        throw Object.assign(new Error(`${code}: refused, ${name}`), {
          code,
          syscall: name,
          errno: -1,
        })
      return real(...args)
    }) as never)
  }
  return { calls: () => calls, stop: () => vi.restoreAllMocks() }
}
