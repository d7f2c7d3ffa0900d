/** What is made that many times, counted from 0. */
export const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at))
