/** The opaque part of an entity tag, quotes included; `undefined` when it is not one (RFC 9110, 8.8.3). */
export const opaque = (tag: string): string | undefined =>
  /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")$/.exec(tag)?.[1]

/** Whether two tags name the same thing, by weak comparison: Apache's are weak as long as a file is young. */
export const sameTag = (a: string, b: string): boolean => (opaque(a) ?? a) === (opaque(b) ?? b)

export const isWeak = (tag: string): boolean => tag.startsWith('W/')
