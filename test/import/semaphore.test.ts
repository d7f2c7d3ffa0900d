import { expect, test } from 'vitest'
import { createSemaphore } from '../../scripts/import/fetch/semaphore.ts'

test('so many tasks run at a time, one that fails makes room, and all have their turn', async () => {
  const semaphore = createSemaphore(2)
  let [now, most] = [0, 0]
  const task = async (index: number): Promise<number> => {
    most = Math.max(most, ++now)
    await new Promise(setImmediate)
    now--
    if (index % 2 === 1) throw new Error('failed')
    return index
  }
  const ends = await Promise.allSettled([0, 1, 2, 3, 4].map((index) => semaphore.use(() => task(index))))
  expect(most).toBe(2)
  expect(ends.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(await semaphore.use(async () => 'free again')).toBe('free again')
})
