import { compareIds, type ShotRecord, type UserRecord } from '../api/records.ts'
import { requestPath, siteRoutesOf, userRoute } from '../api/routes.ts'
import type { Site } from '../content/site.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'

/** What a snapshot serves of one member, in the https variant. */
export type Served = {
  readonly user: UserRecord
  /** The window, newest first. */
  readonly shots: readonly ShotRecord[]
  /** Other usernames that the API answers at with the same bodies. */
  readonly aliases: readonly string[]
}

/** By username. */
export type View = ReadonlyMap<string, Served>

/** By field, in the order of the API: two values. */
export type FieldChanges = Readonly<
  Record<string, { readonly before: string; readonly after: string }>
>

export type MemberChange = {
  /** The name of today. */
  readonly username: string
  readonly profile: FieldChanges
  readonly shots: ReturnType<typeof compareWindows>
}

/**
 * What one snapshot serves and another one doesn't. Usernames and paths are sorted by code
 * unit.
 */
export type Difference = {
  /** The two sides, as the user named them. */
  readonly base: string
  readonly head: string
  readonly members: {
    readonly added: readonly string[]
    readonly removed: readonly string[]
    /** The same member id under another name: neither added nor removed. */
    readonly renamed: readonly { readonly from: string; readonly to: string }[]
    readonly changed: readonly MemberChange[]
  }
  /** Paths such as `/api/username/ana`, aliases too, and `/api/members`. */
  readonly addresses: {
    readonly added: readonly string[]
    readonly removed: readonly string[]
  }
  /** What to look at twice. */
  readonly warnings: readonly Diagnostic[]
}

/**
 * Members that are the same on both sides may be left out of both views, and the sites where
 * one is not known.
 */
export const compare = (
  base: View,
  head: View,
  sites?: { readonly base: Site; readonly head: Site },
): Pick<Difference, 'members' | 'addresses'> => {
  const renamed = findRenamed(base, head)
  const from = new Map(renamed.map(({ from, to }) => [to, from]))
  const gone = new Set(from.values())
  /** The name that a member of today had. */
  const before = (username: string) =>
    from.get(username) ?? (base.has(username) && !gone.has(username) ? username : undefined)
  const names = [...head.keys()].sort()
  const addresses = {
    base: addressesOf(base, sites?.base),
    head: addressesOf(head, sites?.head),
  }
  return {
    members: {
      added: names.filter((username) => before(username) === undefined),
      removed: [...base.keys()]
        .filter((username) => !gone.has(username) && !head.has(username))
        .sort(),
      renamed,
      changed: names.flatMap((username) => {
        const old = base.get(before(username) ?? '')
        const now = head.get(username)
        return old && now ? compareMember(username, old, now) : []
      }),
    },
    addresses: {
      added: missingIn(addresses.base, addresses.head),
      removed: missingIn(addresses.head, addresses.base),
    },
  }
}

/** Members that have another name than before: the id says who is who. */
const findRenamed = (base: View, head: View): Difference['members']['renamed'] => {
  const names = new Map([...base].map(([username, { user }]) => [user.id, username]))
  return [...head]
    .map(([to, { user }]) => ({ from: names.get(user.id) ?? to, to }))
    .filter(({ from, to }) => from !== to)
    .sort((a, b) => (a.from < b.from ? -1 : 1))
}

/** Every path that answers with a profile, and those of the site that are always the same. */
const addressesOf = (view: View, site: Site | undefined): ReadonlySet<string> =>
  new Set([
    ...[...view].flatMap(([name, { aliases }]) =>
      [name, ...aliases].map((one) => requestPath(userRoute, one)),
    ),
    ...(site ? siteRoutesOf(site) : [])
      .map(({ path }) => path)
      .filter((path) => !path.includes('<')),
  ])

const missingIn = (
  there: ReadonlySet<string>,
  here: ReadonlySet<string>,
): readonly string[] => [...here].filter((address) => !there.has(address)).sort()

/** None or one. */
const compareMember = (
  username: string,
  before: Served,
  after: Served,
): readonly MemberChange[] => {
  const profile = compareFields(before.user, after.user)
  const shots = compareWindows(before.shots, after.shots)
  const same =
    Object.keys(profile).length === 0 &&
    Object.values(shots).every((list) => list.length === 0)
  return same ? [] : [{ username, profile, shots }]
}

type Fields = Readonly<Record<string, string>>

const compareFields = (before: Fields, after: Fields): FieldChanges =>
  Object.fromEntries(
    Object.keys(after)
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, { before: before[field]!, after: after[field]! }]),
  )

/** Ids are sorted as numbers. */
const compareWindows = (before: Served['shots'], after: Served['shots']) => {
  const was = new Map(before.map((shot) => [shot.id, shot]))
  const is = new Set(after.map(({ id }) => id))
  const common = after.flatMap((now) => {
    const old = was.get(now.id)
    return old ? [{ id: now.id, now, old, number: before.indexOf(old) }] : []
  })
  const kept = inOrder(common)
  return {
    entered: idsOf(after.filter(({ id }) => !was.has(id))),
    left: idsOf(before.filter(({ id }) => !is.has(id))),
    /** In both windows, and outside of their longest common order. */
    moved: idsOf(common.filter((shot) => !kept.includes(shot))),
    changed: common
      .map(({ id, now, old }) => ({ id, fields: compareFields(old, now) }))
      .filter(({ fields }) => Object.keys(fields).length > 0)
      .sort((a, b) => compareIds(a.id, b.id)),
  }
}

const idsOf = (shots: readonly { readonly id: string }[]): readonly string[] =>
  shots.map(({ id }) => id).sort(compareIds)

/** A shot of both windows, with its place in the old one. */
type Common = {
  readonly id: string
  readonly now: ShotRecord
  readonly old: ShotRecord
  readonly number: number
}

/**
 * A longest selection in which each shot comes after the one before in the old window, too.
 * Of several, the one with most shots whose date is the same; of those, the one that ends
 * first, and so on from its end.
 */
const inOrder = (shots: readonly Common[]) => {
  const chains: Chain[] = []
  for (const shot of shots) {
    const { now, old, number } = shot
    const before = bestOf(chains.filter((chain) => chain.last < number))
    const steady = before.steady + Number(now.date === old.date)
    chains.push({ shots: [...before.shots, shot], steady, last: number })
  }
  return bestOf(chains).shots
}

type Chain = {
  readonly shots: readonly Common[]
  readonly steady: number
  /** The number of the last shot. */
  readonly last: number
}

const bestOf = (chains: readonly Chain[]) =>
  chains.reduce(
    (best, chain) =>
      (chain.shots.length - best.shots.length || chain.steady - best.steady) > 0
        ? chain
        : best,
    { shots: [], steady: 0, last: -1 },
  )
