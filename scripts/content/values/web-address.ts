import { characterProblem, hostProblem, isPlainAddress, parseAddress } from './address.ts'

/** Whether a text is an absolute http(s) URL with a host, without white space, control characters, backslashes. */
export const isWebAddress = (text: string): boolean => {
  if (isPlainAddress(text)) return true
  if (characterProblem(text) !== undefined) return false
  const address = parseAddress(text)
  return address !== undefined && /^https?$/.test(address.scheme) && hostProblem(address) === undefined
}

/** The web address that a text most likely stands for: `@ana` is the name of a profile, `ana.example.com` lacks its scheme. */
export const meantWebAddress = (text: string): string | undefined => {
  if (/^@[\w.-]+$/.test(text)) return `https://twitter.com/${text.slice(1)}`
  const completed = `https://${text.replace(/^(?:https?:)?\/*/i, '')}`
  return /^https:\/\/[^/?#@:.]+\.[^/?#@:]+(?:[/?#]|$)/.test(completed) ? completed : undefined
}
