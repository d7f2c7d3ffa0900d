import { type Variant, variants } from '../../api/routes.ts'

/** One of the two addresses of a member. */
export type Part = 'user' | 'shots'

/** How an address answered last, and the last body that it sent. */
export type Kept = {
  /** 0 if there was no answer. */
  readonly status: number
  /** Why the last answer has no body to read, in words; absent if all is well. */
  readonly problem?: string
  /** Why there was no answer; see http/exchange.ts. */
  readonly failure?: string
  /** The name of the last body in the store. */
  readonly body?: string
  /** Of a body that came over http: the https body that is the same but for the scheme of its addresses. */
  readonly like?: string
  readonly etag?: string | undefined
  readonly modified?: string | undefined
}

/** How a member's addresses answered. */
export type Answers = Readonly<Record<Variant, Readonly<Partial<Record<Part, Kept>>>>>

/** The sha256 of each body, by scheme and part. */
export const digestsOf = (answers: Answers): Readonly<Record<string, string>> =>
  Object.fromEntries(
    variants.flatMap((variant) =>
      Object.entries(answers[variant]).flatMap(([part, { body }]) =>
        body === undefined ? [] : [[`${variant} ${part}`, body.split(' ')[0]!]],
      ),
    ),
  )

export const noAnswers: Answers = { https: {}, http: {} }

/** Whether parsed JSON is what {@link JSON.stringify} made of answers. */
export const isAnswers = (data: Readonly<Record<string, unknown>>): boolean =>
  variants.every((variant) => typeof data[variant] === 'object' && data[variant] !== null)
