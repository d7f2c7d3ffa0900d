import type { Finding } from '../merge/finding.ts'

/** What an import tells because content can't say what the API does, by the code of the message. */
export const losses = {
  'not-kept': 'content can not hold the value, and it is left out',
  'shot-not-imported': 'content can not hold the shot',
  'shot-elsewhere': 'another member has a shot of this id',
  'member-not-imported': 'content can not hold the value, and the member stays as it was',
  'other-order': 'the snapshot sorts by date, newest first, then by id',
  'more-than-15': 'the snapshot lists the last 15 shots',
  'scheme-differs': 'the snapshot has the https address for both schemes',
  'unknown-field': 'the interface has no such field',
} as const

export type Loss = keyof typeof losses

/** What an import would tell of a member as lost. */
export type Losses = {
  /** Of a field; the profile has no id. */
  readonly ofField: (key: string, id?: string) => ReadonlySet<Loss>
  /** Whether the API sends the shots in another order, so that its last 15 may be others. */
  readonly isReordered: boolean
  /** Why a shot that the API lists is not in the content. */
  readonly ofShot: (id: string) => Loss | undefined
  /** Why all of the member stays as it was. */
  readonly ofMember: Loss | undefined
}

export const lossesIn = (findings: readonly Finding[]): Losses => {
  const fields = new Map<string, Set<Loss>>()
  const shots = new Map<string, Loss>()
  const add = (loss: Loss, key: string, id = ''): void => {
    const known = fields.get(`${id} ${key}`)
    if (known === undefined) fields.set(`${id} ${key}`, new Set([loss]))
    else known.add(loss)
  }
  // a shot that is listed twice was imported once
  const refused = new Set(
    findings.flatMap(({ code, args }) =>
      code === 'shot-not-imported' && args.key !== 'id' && args.id !== '' ? args.id : [],
    ),
  )
  const isMemberRefused = findings.some(({ code }) => code === 'member-not-imported')
  const ofMember: Loss | undefined = isMemberRefused ? 'member-not-imported' : undefined
  for (const { code, about, args } of findings) {
    switch (code) {
      case 'not-kept':
      case 'scheme-differs':
        if ('key' in about && about.key !== undefined) add(code, about.key, 'id' in about ? about.id : '')
        break
      case 'shot-not-imported':
      case 'shot-elsewhere':
        shots.set(args.id, code)
        break
    }
  }
  return {
    ofField: (key, id = '') =>
      new Set<Loss>([
        ...(fields.get(`${id} ${key}`) ?? []),
        ...(refused.has(id) ? (['shot-not-imported'] as const) : []),
        ...(ofMember === undefined ? [] : [ofMember]),
      ]),
    isReordered: findings.some(({ code }) => code === 'other-order'),
    ofShot: (id) => shots.get(id) ?? ofMember,
    ofMember,
  }
}
