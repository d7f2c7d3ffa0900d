/**
 * Runs tasks, so many at a time; gives what becomes of them in their order. A failure is
 * thrown when its turn comes.
 */
export async function* inOrder<T>(
  tasks: Iterable<() => Promise<T>>,
  most: number,
): AsyncGenerator<T, void> {
  const begun: Promise<T>[] = []
  for (const task of tasks) {
    const result = task()
    result.catch(() => {})
    begun.push(result)
    if (begun.length >= most) yield begun.shift()!
  }
  yield* begun
}
