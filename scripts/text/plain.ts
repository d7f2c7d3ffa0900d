/**
 * Whether YAML takes a text for itself where it stands without quotes: as a value of its own,
 * or also between brackets.
 */
export const isPlain = (
  text: string,
  { inBrackets }: { readonly inBrackets: boolean },
): boolean =>
  /^[^-?:,[\]{}#&*!|>'"%@`\s]/.test(text) &&
  !/: |:$| #|\s$|[\t\n]/.test(text) &&
  !(inBrackets && /[,[\]{}]/.test(text))
