/** Something to report about a member: the kind, and the subject. The words are in tell/messages.ts. */
export type Finding = {
  readonly [C in FindingCode]: { readonly code: C; readonly about: About; readonly args: FindingArgs[C] }
}[FindingCode]

/** The profile or a shot of it, by id, perhaps one key; or what the API says at one of its two addresses. */
export type About =
  | { readonly part: 'profile'; readonly key?: string }
  | { readonly part: 'shot'; readonly id: string; readonly key?: string }
  | { readonly part: 'user' }
  | { readonly part: 'shots' }

export type FindingArgs = {
  readonly conflict: {
    readonly key: string
    readonly base: string | undefined
    readonly mine: string
    readonly theirs: string
  }
  readonly 'other-id': { readonly before: string; readonly now: string }
  readonly 'removed-here': { readonly id: string; readonly title: string }
  readonly 'not-kept': {
    readonly what: string
    readonly value: string
    readonly problem: string
    readonly instead: string
  }
  readonly 'member-not-imported': { readonly what: string; readonly value: string; readonly problem: string }
  /** `id` is empty if the shot has none. */
  readonly 'shot-not-imported': {
    readonly id: string
    readonly key: string
    readonly what: string
    readonly value: string
    readonly problem: string
  }
  readonly 'shot-elsewhere': { readonly id: string; readonly owner: string }
  readonly 'total-below-content': { readonly key: string; readonly theirs: string; readonly counted: number }
  readonly 'shot-vanished': { readonly id: string; readonly title: string }
  readonly 'shot-returned': { readonly id: string; readonly title: string }
  readonly 'too-many-vanished': { readonly count: number; readonly of: number }
  readonly 'windows-apart': { readonly before: string; readonly now: string }
  readonly 'other-order': { readonly sent: string; readonly sorted: string }
  readonly 'more-than-15': { readonly count: number }
  readonly 'scheme-differs': { readonly what: string; readonly https: string; readonly http: string }
  readonly 'unknown-field': { readonly what: string; readonly value: string }
}

export type FindingCode = keyof FindingArgs
