/** Which side a value follows. A conflict follows none until somebody settles it. */
export type Verdict = 'ours' | 'theirs' | 'conflict'

/** What settles a conflict. */
export type Side = 'ours' | 'theirs' | undefined

/** A value as the remote said it last, as content says it, and as the remote says it now. */
export type ThreeWays<T, B = T> = {
  readonly base: B | undefined
  readonly mine: T
  readonly remote: B
}

/** The rows of "How changes meet" in docs/import.md: the first one that holds decides. */
type Row = readonly [holds: boolean, verdict: Verdict]

const decide = (rows: readonly Row[], side: Side): Verdict => {
  const [, verdict] = rows.find(([holds]) => holds) ?? [true, 'conflict' as const]
  return verdict === 'conflict' && side !== undefined ? side : verdict
}

/** Which side a value follows. */
export const judge = (
  { base, mine, remote }: ThreeWays<string>,
  side: Side,
  same = (a: string, b: string) => a === b,
): Verdict =>
  decide(
    [
      // both sides say the same
      [same(mine, remote), 'ours'],
      // without a base nobody knows who changed it
      [base === undefined, 'conflict'],
      // untouched here
      [base !== undefined && same(mine, base), 'theirs'],
      // changed here only
      [base !== undefined && same(base, remote), 'ours'],
    ],
    side,
  )

/** Which side a total follows. Where content counts it, no figure says whether it was touched here. */
export const judgeTotal = (
  is: {
    /** The member is new, the figure is the one that the last import left, or it is what the remote says. */
    readonly untouched: boolean
    /** The remote says another one than last time, or one for the first time that content can hold. */
    readonly news: boolean
    /** The profile says fewer than content holds, which can't stay. */
    readonly tooLow: boolean
    /** The remote said one last time. */
    readonly known: boolean
  },
  side: Side,
): Verdict =>
  decide(
    [
      [is.untouched, 'theirs'],
      [!is.news && !is.tooLow, 'ours'],
      [!is.news && !is.known, 'theirs'],
    ],
    side,
  )
