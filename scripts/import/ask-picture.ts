import { lookup } from 'node:dns'
import { lookup as lookupOnce } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { Addresses } from '../http/addresses.ts'
import { failed, requestFor } from '../http/exchange.ts'
import type { Sender } from '../http/send.ts'
import { mostPictureBytes, type Picture, readPicture } from '../pictures/picture.ts'
import { conditionsOf, validatorsOf } from './fetch.ts'
import type { Validators } from './store.ts'

/** Asks for a picture; the answer is one, or says why there is none, or that the one that is known still holds. */
export type AskPicture = (
  url: string,
  known?: Validators,
) => Promise<{ readonly picture?: Picture & Validators; readonly problem?: string }>

export type PictureOptions = {
  readonly addresses: Addresses
  /** Waits until the next request may be sent. */
  readonly turn: () => Promise<void>
  /** Opens a client for a host; `lookup` says which addresses it may use. */
  readonly openSender: (addresses: Addresses, lookup: LookupFunction | undefined) => Sender
}

/** Hosts whose requests may be under way again later; more are not remembered. */
const mostHosts = 20

/**
 * Makes what asks for pictures, wherever they are: at the pace of all requests, by http(s) alone, no redirect followed,
 * and at no private address unless the remote itself has one.
 */
export const createAskPicture = ({ addresses, turn, openSender }: PictureOptions) => {
  const senders = new Map<string, Sender>()
  let allowsPrivate: Promise<boolean> | undefined
  const senderOf = (
    { origin, protocol, hostname, port }: URL,
    lookup: LookupFunction | undefined,
  ): Sender => {
    const known = senders.get(origin)
    if (known !== undefined) return known
    const [oldest] = senders.size < mostHosts ? [] : senders.keys()
    if (oldest !== undefined) senders.get(oldest)!.close()
    if (oldest !== undefined) senders.delete(oldest)
    const address = { hostname, port: Number(port) || (protocol === 'http:' ? 80 : 443), path: '' }
    const sender = openSender({ https: address, http: address }, lookup)
    senders.set(origin, sender)
    return sender
  }
  const ask: AskPicture = async (address, known) => {
    const url = new URL(address.startsWith('//') ? `https:${address}` : address)
    const scheme = url.protocol === 'http:' ? 'http' : 'https'
    allowsPrivate ??= isPrivateHost(addresses.https.hostname)
    const isOpen = await allowsPrivate
    if (!isOpen && isPrivate(url.hostname)) return { problem: privateHost }
    const sender = senderOf(url, isOpen ? undefined : publicLookup)
    await turn()
    const headers = { Accept: 'image/*', 'User-Agent': 'shotpress-import', ...conditionsOf(known) }
    const asked = { limit: mostPictureBytes, shared: true, headers }
    const outcome = await sender.send(requestFor(scheme, url.pathname + url.search, asked))
    if (failed(outcome)) return { problem: outcome.detail }
    const { status, cut, content } = outcome
    if (status === 304 && known !== undefined) return {}
    if (status !== 200) return { problem: `it says ${status}` }
    if (cut || content === undefined) return { problem: 'it is larger than a picture may be (10 MiB)' }
    const picture = readPicture(content)
    if ('problem' in picture) return { problem: picture.problem.is }
    return { picture: { ...picture, ...validatorsOf(outcome) } }
  }
  const close = (): void => {
    for (const sender of senders.values()) sender.close()
  }
  return { ask, close }
}

const privateHost = 'it is at a private address'

const privateAddresses = new BlockList()
const [v4, v6] = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 224.0.0.0/3',
  '::/127 64:ff9b::/96 fc00::/7 fe80::/10 ff00::/8',
].map((nets) => nets.split(' ').map((net) => net.split('/') as [net: string, bits: string]))
for (const [net, bits] of v4!) privateAddresses.addSubnet(net, Number(bits), 'ipv4')
for (const [net, bits] of v6!) privateAddresses.addSubnet(net, Number(bits), 'ipv6')

/** Whether an IP address is one of a private network; names are none. */
const isPrivate = (hostname: string): boolean => {
  const address = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  return family !== 0 && privateAddresses.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

const isPrivateHost = async (hostname: string): Promise<boolean> => {
  try {
    return isPrivate((await lookupOnce(hostname.replace(/^\[|\]$/g, ''))).address)
  } catch {
    return false
  }
}

/** Looks names up, and refuses those that lead into a private network. */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const isBad = found?.some(({ address }) => isPrivate(address))
    if (error || isBad) done(error ?? Object.assign(new Error(privateHost), { code: 'EPRIVATE' }), '', 4)
    else if (options.all) done(null, found)
    else done(null, found[0]!.address, found[0]!.family)
  })
}
