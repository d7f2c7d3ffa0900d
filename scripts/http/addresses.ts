import { type Variant, variants } from '../api/routes.ts'
import { parseUrl, pathOf } from '../content/values/address.ts'
import { UserError } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'

/** Where the two variants are asked for. */
export type Addresses = Readonly<Record<Variant, Address>>

export type Address = {
  /** As in a URL, IPv6 addresses in brackets. */
  readonly hostname: string
  readonly port: number
  /** Path in front of the routes, without a trailing slash; `''` is none. */
  readonly path: string
}

const defaultPort: Readonly<Record<Variant, number>> = { https: 443, http: 80 }

/**
 * Reads the one or two URLs of the command line; the hints name the command that was run. One
 * URL with a port is enough if nothing is asked over plain http.
 */
export const parseAddresses = (
  operands: readonly string[],
  command: 'verify' | 'import',
  { httpsOnly = false } = {},
): Addresses => {
  const run = `npx shotpress ${command}`
  if (operands.length === 0) {
    const name = command === 'import' ? ' ana' : ''
    throw new UserError('there is no URL', { hint: `${run} https://api.example.com${name}` })
  }
  if (operands.length > 2)
    throw new UserError(`${command} takes one URL or two`, {
      hint: `${run} https://api.example.com http://api.example.com`,
    })
  const [first, second] = operands.map(parseAddress)
  const { scheme, address } = first!
  const other = scheme === 'https' ? 'http' : 'https'
  const hint = `${run} ${operands[0]} ${other}://${address.hostname}:PORT, with the port that serves ${other}`
  if (second === undefined) {
    if (httpsOnly && scheme === 'https') return { https: address, http: address }
    if (address.port === defaultPort[scheme])
      return { https: { ...address, port: 443 }, http: { ...address, port: 80 } }
    throw new UserError(
      `port ${address.port} can't serve both https and http, so two URLs are needed`,
      { hint },
    )
  }
  if (scheme === second.scheme)
    throw new UserError(`both URLs are ${scheme}; one must be https, the other http`, {
      hint,
    })
  return { [scheme]: address, [second.scheme]: second.address } as Addresses
}

/** The URL of an address, or of another path on its host, as people write it. */
export const urlOf = (addresses: Addresses, scheme: Variant, path?: string): string => {
  const { hostname, port, path: own } = addresses[scheme]
  const host = port === defaultPort[scheme] ? hostname : `${hostname}:${port}`
  return `${scheme}://${host}${path ?? own}`
}

const parseAddress = (text: string) => {
  const url = parseUrl(text)
  const scheme = variants.find((variant) => url?.protocol === `${variant}:`)
  if (url === undefined || scheme === undefined || url.hostname === '') {
    throw new UserError(`${quote(text)} is not an http or https address`, {
      hint: 'write the whole base address, such as https://api.example.com',
    })
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    throw new UserError(`${quote(text)} has more than an origin and a path`, {
      hint: 'leave out credentials, query and fragment',
    })
  }
  const port = Number(url.port || defaultPort[scheme])
  return { scheme, address: { hostname: url.hostname, port, path: pathOf(url) } }
}
