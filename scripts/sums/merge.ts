/** Anything that is listed by path. */
type Listed = { readonly path: string }

/** Several lists that are in the order of their paths, as one. Equal paths follow each other in the order of the lists. */
export const mergeSorted = <T extends Listed>(lists: readonly Iterable<T>[]): Iterable<T> => {
  if (lists.length <= 1) return lists[0] ?? []
  const half = Math.ceil(lists.length / 2)
  return mergeTwo(mergeSorted(lists.slice(0, half)), mergeSorted(lists.slice(half)))
}

function* mergeTwo<T extends Listed>(left: Iterable<T>, right: Iterable<T>): Generator<T> {
  const [a, b] = [left[Symbol.iterator](), right[Symbol.iterator]()]
  try {
    let [first, second] = [a.next(), b.next()]
    while (!first.done && !second.done) {
      if (first.value.path <= second.value.path) {
        yield first.value
        first = a.next()
      } else {
        yield second.value
        second = b.next()
      }
    }
    for (; !first.done; first = a.next()) yield first.value
    for (; !second.done; second = b.next()) yield second.value
  } finally {
    a.return?.()
    b.return?.()
  }
}
