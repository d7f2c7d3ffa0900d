import { quote } from '../../text/printable.ts'
import { characterProblem, hostProblem, parseAddress } from './address.ts'

/** Whether a text is an absolute http(s) URL with a host, without white space, control characters, backslashes. */
export const isWebAddress = (text: string): boolean => {
  if (characterProblem(text) !== undefined) return false
  const address = parseAddress(text)
  return address !== undefined && /^https?$/.test(address.scheme) && hostProblem(address) === undefined
}

/** What to write instead of a text that is no web address, where it is clear what was meant. */
export const webAddressAdvice = (text: string): string | undefined => {
  if (/^@[\w.-]+$/.test(text)) {
    return `write the whole address of the profile: ${quote(`https://twitter.com/${text.slice(1)}`)}`
  }
  const completed = `https://${text.replace(/^(?:https?:)?\/*/i, '')}`
  const meant = /^https:\/\/[^/?#@:.]+\.[^/?#@:]+(?:[/?#]|$)/.test(completed) && isWebAddress(completed)
  return meant ? `write the whole address: ${quote(completed)}` : undefined
}
