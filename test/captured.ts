/** What the first group of an expression takes at each of its matches. */
export const captured = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, group = '']) => group)
