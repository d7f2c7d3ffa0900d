/** The opaque part of an entity tag, quotes included; `undefined` when it is not one (RFC 9110, 8.8.3). */
export const opaque = (tag: string): string | undefined =>
  /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")$/.exec(tag)?.[1]

export const isWeak = (tag: string): boolean => tag.startsWith('W/')
