import fs from 'node:fs'
import { vi } from 'vitest'

const changing = [
  'openSync',
  'writeFileSync',
  'mkdirSync',
  'renameSync',
  'linkSync',
  'unlinkSync',
  'rmSync',
] as const

/**
 * Ends some work at the disk-changing call of that number as a kill does: half of a file is
 * written, and nothing that comes after is done, no cleaning up either. Says whether it came
 * to that.
 */
export const killedAt = async (number: number, work: () => unknown) => {
  let calls = 0
  for (const name of changing) {
    const real = fs[name] as (...args: unknown[]) => unknown
    vi.spyOn(fs, name).mockImplementation(((...args: unknown[]) => {
      const reads = name === 'openSync' && (Number(args[1]) & fs.constants.O_CREAT) === 0
      if (reads || calls++ < number) return real(...args)
      if (name === 'writeFileSync' && calls === number + 1)
        real(args[0], String(args[1]).slice(0, 9))
      throw new Error('killed')
    }) as never)
  }
  try {
    await work()
  } catch (error) {
    if (calls <= number) throw error
  } finally {
    vi.restoreAllMocks()
  }
  return calls > number
}
