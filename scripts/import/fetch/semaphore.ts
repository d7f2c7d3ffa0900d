/** So many tasks at a time; the others wait for their turn. */
export type Semaphore = { readonly use: <T>(task: () => Promise<T>) => Promise<T> }

export const createSemaphore = (count: number): Semaphore => {
  const waiting: (() => void)[] = []
  let free = count
  return {
    use: async (task) => {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await task()
      } finally {
        const next = waiting.shift()
        if (next === undefined) free++
        else next()
      }
    },
  }
}
