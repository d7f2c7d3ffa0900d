import { lookup } from 'node:dns'
import { lookup as lookupOnce } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import path from 'node:path'
import type { Site } from '../content/site.ts'
import { findEntry } from '../files/folder.ts'
import { readFile } from '../files/open.ts'
import type { Addresses } from '../http/addresses.ts'
import { failed, header } from '../http/exchange.ts'
import type { Sender } from '../http/send.ts'
import { endings, mostPictureBytes, type Picture, readPicture } from '../pictures/picture.ts'
import { type Base, own } from './base.ts'
import { type Fields, type Remote, textOf } from './body.ts'
import type { ContentSite, Mine } from './content.ts'
import { sendable } from './fetch.ts'
import { type Changes, canSay, type Field, profileFields, shotFields } from './fields.ts'
import type { MemberPlan } from './merge-member.ts'
import { type Finding, find } from './messages.ts'
import { digestOf } from './store.ts'

/** What `import.json` holds of a picture that was taken along. */
export type KnownPicture = {
  /** Where the remote has it, and the file here, as its YAML file names it. */
  readonly url: string
  readonly file: string
  /** Of the file as it was stored: another one is somebody's work. */
  readonly sha256: string
  readonly etag?: string | undefined
  readonly modified?: string | undefined
}

/** A picture that came, and is to be stored. */
export type NewPicture = Omit<KnownPicture, 'file' | 'sha256'> & {
  readonly bytes: Buffer
  readonly ending: string
}

/** The keys that name pictures, and what is added to a file's name for them. */
export const pictureKeys = {
  profile: { avatar: 'avatar', cover_image: 'cover' },
  shot: { image: '', large_image: '-large' },
} as const

/** The name of a key's place in `import.json`. */
export const slotOf = (key: string, id?: string): string => (id === undefined ? key : `${id} ${key}`)

/** What content says with the addresses in place of the pictures that were taken from them. */
export const withAddresses = (mine: Mine, base: Base | undefined): Mine => {
  const { pictures } = base ?? {}
  if (pictures === undefined) return mine
  const swap = <T extends object>(said: T, keys: object, id?: string): T => {
    const news = Object.keys(keys).flatMap((key) => {
      const known = own(pictures, slotOf(key, id))
      return known !== undefined && said[key as keyof T] === known.file ? [[key, known.url]] : []
    })
    return { ...said, ...Object.fromEntries(news) }
  }
  const shots = [...mine.shots].map(([id, shot]) => [id, swap(shot, pictureKeys.shot, id)] as const)
  return { ...mine, profile: swap(mine.profile, pictureKeys.profile), shots: new Map(shots) }
}

/** Asks for a picture; the answer is one, or says why there is none, or that the one of `known` still holds. */
export type AskPicture = (
  url: string,
  known?: KnownPicture,
) => Promise<{
  readonly picture?: Picture & Pick<KnownPicture, 'etag' | 'modified'>
  readonly problem?: string
}>

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
    const outcome = await sender.send({
      ...{ scheme, method: 'GET', path: url.pathname + url.search, host: 'own', shared: true },
      limit: mostPictureBytes,
      headers: {
        ...{ Accept: 'image/*', 'User-Agent': 'shotpress-import' },
        ...(known?.etag !== undefined && { 'If-None-Match': known.etag }),
        ...(known?.modified !== undefined && { 'If-Modified-Since': known.modified }),
      },
    })
    if (failed(outcome)) return { problem: outcome.detail }
    const { status, cut, content } = outcome
    if (status === 304 && known !== undefined) return {}
    if (status !== 200) return { problem: `it says ${status}` }
    if (cut || content === undefined) return { problem: 'it is larger than a picture may be (10 MiB)' }
    const picture = readPicture(content)
    if ('problem' in picture) return { problem: picture.problem.is }
    const [etag, modified] = ['ETag', 'Last-Modified'].map((name) => sendable(header(outcome, name)))
    return { picture: { ...picture, etag, modified } }
  }
  const close = (): void => {
    for (const sender of senders.values()) sender.close()
  }
  return { ask, close }
}

const privateHost = 'it is at a private address'

const privateAddresses = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  privateAddresses.addSubnet(net, bits, 'ipv4')
}
for (const [net, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  privateAddresses.addSubnet(net, bits, 'ipv6')
}

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

type HeldOptions = {
  readonly base: Base | undefined
  readonly site: Site
  readonly ask: AskPicture | undefined
}

/**
 * Finds addresses with a port, which content can't say, whose pictures lie here or can be had. The answers that came are
 * given out once more by the `ask` that is returned.
 */
export const findHeld = async ({ user, shots }: Remote, { base, site, ask }: HeldOptions) => {
  const held = new Set<string>()
  const answers = new Map<string, Awaited<ReturnType<AskPicture>>>()
  const known = new Set(Object.values(base?.pictures ?? {}).map(({ url }) => url))
  const look = async (fields: Fields, of: readonly Field[]): Promise<void> => {
    for (const field of of) {
      const text = textOf(fields, field.key)
      const needsPort = text !== null && !canSay(text, field, site)
      if (!needsPort || !canSay(text, field, { ...site, portsAllowed: true }) || held.has(text)) continue
      if (!known.has(text)) {
        const answer = await ask?.(text)
        if (answer?.picture === undefined) continue
        answers.set(text, answer)
      }
      held.add(text)
    }
  }
  const named = (of: readonly Field[], keys: object) => of.filter(({ key }) => key in keys)
  await look(user, named(profileFields, pictureKeys.profile))
  for (const shot of shots) await look(shot, named(shotFields, pictureKeys.shot))
  const askAgain: AskPicture = async (url, known) => answers.get(url) ?? ask!(url, known)
  return { held, ask: ask && askAgain }
}

export type TakeOptions = {
  readonly plan: MemberPlan
  /** What content says, with addresses. */
  readonly mine: Mine | undefined
  readonly base: Base | undefined
  readonly found: ContentSite
  readonly ask: AskPicture
  /** Whether what somebody changed here is replaced. */
  readonly replaces: boolean
}

export type Taken = {
  /** By place. */
  readonly pictures: ReadonlyMap<string, NewPicture>
  /** Shots that have no plan otherwise, as the window doesn't show them any more, are added. */
  readonly plan: MemberPlan
  readonly findings: readonly Finding[]
}

/** Fetches the pictures that a member's addresses name: new ones, and those that may have changed. */
export const takePictures = async ({
  plan,
  mine,
  base,
  found,
  ask,
  replaces,
}: TakeOptions): Promise<Taken> => {
  const pictures = new Map<string, NewPicture>()
  const findings: Finding[] = []
  const take = async (changes: Changes, said: object | undefined, { key, id, of }: Slot): Promise<void> => {
    const slot = slotOf(key, id)
    const value =
      key in changes ? changes[key] : (said as Readonly<Record<string, unknown>> | undefined)?.[key]
    const texts = id === undefined ? plan.base.profile : own(plan.base.shots, id)
    // what somebody wrote here is no concern of the import
    if (typeof value !== 'string' || value === '' || texts?.[key] !== value) return
    const known = own(base?.pictures, slot)
    const stored = known?.url === value ? storedBytes(known, { id, mine, found }) : undefined
    const isOurs = stored !== undefined && digestOf(stored) === known!.sha256
    if (stored !== undefined && !isOurs && !replaces) return
    if (isOurs && id !== undefined && !plan.base.window.includes(id)) return
    const { picture, problem } = await ask(value, isOurs ? known : undefined)
    if (problem !== undefined) {
      const about = id === undefined ? { part: 'profile', key } : { part: 'shot', id, key }
      findings.push(
        find('picture-not-taken', about as Finding['about'], { what: key + of, url: value, problem }),
      )
    } else if (picture !== undefined) {
      const { etag, modified, cleaned, kind } = picture
      pictures.set(slot, { url: value, etag, modified, bytes: cleaned, ending: endings[kind][0]! })
    }
  }
  for (const key of Object.keys(pictureKeys.profile)) await take(plan.profile, mine?.profile, { key, of: '' })
  const planned = new Map(plan.shots.map((shot) => [shot.id, shot]))
  const others = [...(mine?.shots.values() ?? [])].flatMap(({ id, title }) =>
    planned.has(id) || own(plan.base.shots, id) === undefined
      ? []
      : [{ id, isNew: false, title, changes: {} }],
  )
  const shots = [...plan.shots, ...others]
  for (const { id, changes } of shots) {
    for (const key of Object.keys(pictureKeys.shot)) {
      await take(changes, mine?.shots.get(id), { key, id, of: ` of shot ${id}` })
    }
  }
  return { pictures, plan: { ...plan, shots }, findings }
}

type Slot = { readonly key: string; readonly id?: string; readonly of: string }

const storedBytes = (
  { file }: KnownPicture,
  {
    id,
    mine,
    found,
  }: { readonly id: string | undefined; readonly mine: Mine | undefined; readonly found: ContentSite },
): Uint8Array | undefined => {
  const yaml = id === undefined ? mine?.files.profile.path : mine?.files.shots.get(id)?.path
  return yaml === undefined
    ? undefined
    : readStored(found.content.path, path.posix.join(path.posix.dirname(yaml), file))
}

/** A picture of the content; `undefined` where there is none. */
export const readStored = (content: string, below: string): Uint8Array | undefined =>
  findEntry(content, below)?.isFile() ? readFile(content, below, { limit: mostPictureBytes }) : undefined
