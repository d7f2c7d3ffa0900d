/** `1 member`, `3,534 members`: the same in every locale. */
export const amount = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`

/** A count, perhaps in digits, with a comma between thousands. */
export const grouped = (count: number | string): string => {
  const digits = String(count)
  const first = digits.length % 3 || 3
  return [digits.slice(0, first), ...(digits.slice(first).match(/.{3}/gs) ?? [])].join(',')
}

/** `0.84 s`, `12.3 s` */
export const seconds = (milliseconds: number): string =>
  `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`
