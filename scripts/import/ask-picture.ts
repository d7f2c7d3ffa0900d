import { lookup } from 'node:dns'
import { lookup as lookupOnce } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { once } from '../content/once.ts'
import type { Addresses } from '../http/addresses.ts'
import { failed, type Sender } from '../http/exchange.ts'
import { mostPictureBytes, type Picture, readPicture } from '../pictures/picture.ts'
import type { Validators } from './base.ts'
import { type Pace, requestTo, validatorsOf } from './fetch.ts'

/**
 * Asks for a picture; the answer is one, or says why there is none, or that the one that is
 * known still holds.
 */
export type AskPicture = (
  url: string,
  known?: Validators,
) => Promise<{ readonly picture?: Picture & Validators; readonly problem?: string }>

/** Opens a client for a host; `lookup` says which addresses it may use. */
export type OpenSender = (addresses: Addresses, lookup: LookupFunction | undefined) => Sender

/**
 * Makes what asks for pictures, wherever they are: at the pace of all requests, by http(s)
 * alone, no redirect followed, and at no private address unless the remote itself has one.
 */
export const createAskPicture = (
  addresses: Addresses,
  openSender: OpenSender,
  { turn }: Pace,
) => {
  const senders = new Map<string, Sender>()
  const allowsPrivate = once(() =>
    lookupOnce(bare(addresses.https.hostname)).then(
      ({ address }) => isPrivate(address),
      () => false,
    ),
  )
  const ask: AskPicture = async (address, known) => {
    // the base gives `//host/…` its scheme
    const url = new URL(address, 'https://localhost')
    const { origin, hostname, port, protocol } = url
    const isOpen = await allowsPrivate()
    if (!isOpen && isPrivate(hostname)) return { problem: privateHost }
    const at = { hostname, port: Number(port) || (protocol === 'http:' ? 80 : 443), path: '' }
    const sender =
      senders.get(origin) ??
      openSender({ https: at, http: at }, isOpen ? undefined : publicLookup)
    senders.set(origin, sender)
    await turn()
    const asked = { limit: mostPictureBytes, headers: { Accept: 'image/*' } }
    const outcome = await sender.send(requestTo(url, known, asked))
    if (failed(outcome)) return { problem: outcome.detail }
    const { status, cut, content } = outcome
    if (status === 304 && known !== undefined) return {}
    if (status !== 200) return { problem: `it says ${status}` }
    if (cut || !content) return { problem: 'it is larger than a picture may be (10 MiB)' }
    const picture = readPicture(content)
    if ('problem' in picture) return { problem: picture.problem.is }
    return { picture: { ...picture, ...validatorsOf(outcome) } }
  }
  const close = () => {
    for (const sender of senders.values()) sender.close()
  }
  return { ask, close }
}

/** Asks for each picture of a member once. */
export const askOnce = (ask: AskPicture): AskPicture => {
  const answers = new Map<string, ReturnType<AskPicture>>()
  return (url, known) => {
    const question = JSON.stringify([url, known?.etag, known?.modified])
    const answer = answers.get(question) ?? ask(url, known)
    answers.set(question, answer)
    return answer
  }
}

const privateHost = 'it is at a private address'

// an address of IPv4 is in ::/3 as well, so each family has a list of its own
const privateAddresses = { ipv4: new BlockList(), ipv6: new BlockList() }
const privateNets = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '224.0.0.0/3',
  // IPv6 but for 2000::/3, and there what holds an address of IPv4
  '::/3',
  '2001::/32',
  '2002::/16',
  '4000::/2',
  '8000::/1',
]
const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')
for (const net of privateNets) {
  const [start = '', bits] = net.split('/')
  const family = familyOf(start)
  privateAddresses[family].addSubnet(start, Number(bits), family)
}

/** An IPv6 address without the brackets that it has in a URL. */
const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

/** Whether an IP address is one of a private network; names are none. */
const isPrivate = (hostname: string) => {
  const address = bare(hostname)
  const family = familyOf(address)
  return isIP(address) !== 0 && privateAddresses[family].check(address, family)
}

/** Looks names up, and refuses those that lead into a private network. */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found = []) => {
    const [first] = found
    const isBad = found.some(({ address }) => isPrivate(address))
    const refusal = isBad ? Object.assign(new Error(privateHost), { code: 'EPRIVATE' }) : null
    if (options.all || !first) done(error ?? refusal, found)
    else done(error ?? refusal, first.address, first.family)
  })
}
