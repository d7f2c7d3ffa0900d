import { lookup } from 'node:dns'
import { lookup as lookupOnce } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import path from 'node:path'
import { stemOf } from '../content/layout.ts'
import { pictureKeys } from '../content/member.ts'
import { findEntry, readFile } from '../files/folder.ts'
import type { Addresses } from '../http/addresses.ts'
import { failed, requestFor, type Sender } from '../http/exchange.ts'
import { mostPictureBytes, type Picture, readPicture } from '../pictures/picture.ts'
import { byId, type Remote, textOf } from './body.ts'
import { type Base, baseAt, type Held, heldAt, type Mine } from './content.ts'
import { digestOf, headersOf, type Pace, type Validators, validatorsOf } from './fetch.ts'
import { type Changes, canSay, profileFields, shotFields, withoutScheme } from './fields.ts'
import { type About, fieldAt } from './messages.ts'
import type { Sides } from './run.ts'
import type { FileChange } from './write.ts'

/** What `import.json` holds of a picture that was taken along. */
export type KnownPicture = Validators & {
  /** Where the remote has it, and the file here, as its YAML file names it. */
  readonly url: string
  readonly file: string
  /** Of what the remote had, cleaned: a file that has another one is somebody's work. */
  readonly sha256: string
}

/** What a profile's pictures are called, and what is added to a shot's name. */
const suffixes: Record<string, string> = {
  avatar: 'avatar',
  cover_image: 'cover',
  large_image: '-large',
}

type Where = About & { readonly key: string }

const pictureKeysOf = (id?: string): readonly Where[] =>
  pictureKeys[id === undefined ? 'profile' : 'shot'].map((key) => ({ key, id }))

/** The addresses that the remote names, or `''`. */
const addressesIn = ({ user, shots }: Remote): readonly (Where & { readonly url: string })[] =>
  [user, ...shots].flatMap((fields) => {
    const id = fields === user ? undefined : (textOf(fields, 'id') ?? '')
    return pictureKeysOf(id).map((where) => ({ ...where, url: textOf(fields, where.key) ?? '' }))
  })

/** How `import.json` calls it. */
export const nameOf = ({ key, id }: Where): string => (id === undefined ? key : `${id} ${key}`)

/** What the files say at a key, as they say it. */
export const saidAt = ({ key, id }: Where, mine: Mine | undefined): string | undefined =>
  (heldAt(mine, id)?.said as Readonly<Record<string, unknown>> | undefined)?.[key] as
    | string
    | undefined

/** A picture of the content, by what a key says; `undefined` where there is none. */
const storedAt = ({ id }: Where, file: string, { mine, run }: Pick<Sides, 'mine' | 'run'>) => {
  const yaml = heldAt(mine, id)
  return yaml && readStored(run.found.content.path, path.posix.join(yaml.path, '..', file))
}

const readStored = (content: string, below: string): Buffer | undefined =>
  findEntry(content, below)?.isFile()
    ? readFile(content, below, { limit: mostPictureBytes })
    : undefined

/**
 * What content says with addresses in place of pictures: of those that were taken from them, and of those that the site
 * itself publishes where the remote says, which are `published`, too. A picture that somebody changed here stays, as any
 * other value; this is looked at where it matters, since it takes reading the picture.
 */
export const withAddresses = (
  mine: Mine,
  { base, remote, run }: Pick<Sides, 'base' | 'remote' | 'run'>,
) => {
  const published = new Map<string, string>()
  const listed = byId(remote.shots)
  const ownFolder = withoutScheme(`${run.found.site.baseUrl}/pictures/`)
  const swap = <T>(held: Held<T>, id?: string): Held<T> => {
    const fields = id === undefined ? remote.user : listed.get(id)
    const swapped = pictureKeysOf(id).flatMap((where) => {
      const [ours, address] = [saidAt(where, mine), fields && (textOf(fields, where.key) ?? '')]
      if (ours?.startsWith('./') && address && withoutScheme(address).startsWith(ownFolder)) {
        published.set(nameOf(where), address)
        return [[where.key, address]]
      }
      const known = base?.pictures?.[nameOf(where)]
      if (known === undefined || ours !== known.file) return []
      const isMoved = ![undefined, known.url].includes(address)
      const matters = !run.prove && (run.ask !== undefined || isMoved)
      const stored = matters ? storedAt(where, known.file, { mine, run }) : undefined
      return stored !== undefined && digestOf(stored) !== known.sha256
        ? []
        : [[where.key, known.url]]
    })
    return { ...held, said: { ...held.said, ...Object.fromEntries(swapped) } }
  }
  const shots = [...mine.shots].map(([id, shot]) => [id, swap(shot, id)] as const)
  return { mine: { ...mine, profile: swap(mine.profile), shots: new Map(shots) }, published }
}

/** Finds addresses with a port, which content can't say, whose pictures lie here or can be had. */
export const findHeld = async (
  remote: Remote,
  {
    base,
    published,
    ask,
    run: { found, prove },
  }: Pick<Sides, 'base' | 'published' | 'ask' | 'run'>,
): Promise<ReadonlySet<string>> => {
  const taken = Object.values(base?.pictures ?? {}).map(({ url }) => url)
  const held = new Set([...taken, ...(published?.values() ?? [])])
  if (ask === undefined || prove) return held
  const site = { ...found.site, held }
  for (const { id, key, url } of addressesIn(remote)) {
    const field = (id === undefined ? profileFields : shotFields).find((one) => one.key === key)!
    if (canSay(url, field, site) || !canSay(url, field, { ...site, portsAllowed: true })) continue
    if ((await ask(url)).picture !== undefined) held.add(url)
  }
  return held
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

/**
 * Makes what takes pictures along: those that are new, and those that may have changed. `known` is what `import.json` says
 * of them and of those that stay, `changes` are the files; `next` is the base of the next import.
 */
export const createTaking = (next: Base, sides: Sides) => {
  const { mine, base, published, ask, find, run } = sides
  const known: Record<string, KnownPicture> = { ...base?.pictures }
  const changes: FileChange[] = []
  const root = run.found.content.path
  const fetchPicture = async (where: Where, value: unknown) => {
    const [url, old] = [baseAt(next, where.id)?.[where.key], known[nameOf(where)]]
    // what somebody put in its place here stays
    if (!ask || !url || value !== url || value === published?.get(nameOf(where))) return undefined
    const isStored = old?.url === url && storedAt(where, old.file, sides) !== undefined
    if (isStored && where.id !== undefined && !next.window.includes(where.id)) return undefined
    const { picture, problem } = await ask(url, isStored ? old : undefined)
    if (problem !== undefined)
      find('picture-not-taken', where, { what: fieldAt(where), url, problem })
    return picture && { ...picture, url }
  }
  /** Stores a picture under the name that it has, a free one, or that of the same picture; returns the path. */
  const store = (bytes: Buffer, stem: string, ending: string, old: string | undefined): string => {
    const isFree = (below: string): boolean =>
      (readStored(root, below)?.equals(bytes) ?? findEntry(root, below) === undefined) &&
      !changes.some(({ path }) => path === below)
    const has = old?.endsWith(ending) && readStored(root, old) ? old : undefined
    let below = has ?? `${stem}${ending}`
    for (let count = 2; has === undefined && !isFree(below); count++)
      below = `${stem}-${count}${ending}`
    const before = readStored(root, below)
    if (!before?.equals(bytes)) changes.push({ path: below, before, after: bytes })
    return below
  }
  /** The changes of a file, with the names of pictures in them. */
  const take = async (said: Changes, yaml: string, id?: string): Promise<Changes> => {
    const news = { ...said }
    const folder = path.posix.dirname(yaml)
    for (const where of pictureKeysOf(id)) {
      const { key } = where
      const picture = await fetchPicture(where, key in said ? said[key] : saidAt(where, mine))
      // the address is another one now, or the picture is not told of any more
      if (picture === undefined && key in said) delete known[nameOf(where)]
      if (picture === undefined) continue
      const { url, etag, modified, cleaned, kind } = picture
      const stem = `${id === undefined ? `${folder}/` : stemOf(yaml)}${suffixes[key] ?? ''}`
      const old = known[nameOf(where)]?.file
      const below = store(cleaned, stem, `.${kind}`, old && path.posix.join(folder, old))
      const file = `./${path.posix.relative(folder, below)}`
      known[nameOf(where)] = { url, etag, modified, file, sha256: digestOf(cleaned) }
      news[key] = file
    }
    return news
  }
  return { known, changes, take }
}

type Shows = 'equal' | 'different' | 'unproven'

/**
 * What the remote's pictures show beside those that lie in the content, by the names of their keys; one that somebody put in
 * the place of the remote's is not looked at.
 */
export const comparePictures = async (sides: Sides): Promise<ReadonlyMap<string, Shows>> => {
  const { remote, mine, base, ask } = sides
  const compare = async (url: string, where: Where): Promise<Shows | undefined> => {
    // without the key the large image is the image
    const image = { ...where, key: 'image' }
    const known = base?.pictures?.[nameOf(where)] ?? base?.pictures?.[nameOf(image)]
    const said = saidAt(where, mine) ?? saidAt(image, mine)
    const value = said === known?.url ? known?.file : said
    if (!value?.startsWith('./') || !/^(?:https?:)?\/\//i.test(url)) return undefined
    const bytes = storedAt(where, value, sides)
    const ours = bytes && readPicture(bytes)
    if (ours === undefined || 'problem' in ours) return undefined
    const isKnown = known?.url === url && known.file === value && known.sha256 === digestOf(bytes!)
    if (ask === undefined) return isKnown ? 'equal' : 'unproven'
    const { picture, problem } = await ask(url, isKnown ? known : undefined)
    if (problem !== undefined) return 'unproven'
    if (picture === undefined || picture.published.equals(ours.published)) return 'equal'
    return isKnown ? 'different' : undefined
  }
  const shows = new Map<string, Shows>()
  for (const { url, ...where } of addressesIn(remote)) {
    const show = await compare(url, where)
    if (show !== undefined) shows.set(nameOf(where), show)
  }
  return shows
}

/** Asks for a picture; the answer is one, or says why there is none, or that the one that is known still holds. */
export type AskPicture = (
  url: string,
  known?: Validators,
) => Promise<{ readonly picture?: Picture & Validators; readonly problem?: string }>

/** Opens a client for a host; `lookup` says which addresses it may use. */
export type OpenSender = (addresses: Addresses, lookup: LookupFunction | undefined) => Sender

/** Hosts to which connections stay open; before one more, all are closed, as no request is under way then. */
const mostHosts = 20

/**
 * Makes what asks for pictures, wherever they are: at the pace of all requests, by http(s) alone, no redirect followed,
 * and at no private address unless the remote itself has one.
 */
export const createAskPicture = (addresses: Addresses, openSender: OpenSender, { turn }: Pace) => {
  const senders = new Map<string, Sender>()
  let allowsPrivate: Promise<boolean> | undefined
  const close = (): void => {
    for (const sender of senders.values()) sender.close()
    senders.clear()
  }
  const ask: AskPicture = async (address, known) => {
    const url = new URL(address.startsWith('//') ? `https:${address}` : address)
    const scheme = url.protocol === 'http:' ? 'http' : 'https'
    allowsPrivate ??= lookupOnce(addresses.https.hostname.replace(/^\[|\]$/g, '')).then(
      (found) => isPrivate(found.address),
      () => false,
    )
    const isOpen = await allowsPrivate
    const { origin, hostname, port } = url
    if (!isOpen && isPrivate(hostname)) return { problem: privateHost }
    if (senders.size === mostHosts && !senders.has(origin)) close()
    const at = { hostname, port: Number(port) || (scheme === 'http' ? 80 : 443), path: '' }
    const sender =
      senders.get(origin) ?? openSender({ https: at, http: at }, isOpen ? undefined : publicLookup)
    senders.set(origin, sender)
    await turn()
    const headers = { Accept: 'image/*', ...headersOf(known) }
    const asked = { limit: mostPictureBytes, pooled: true, headers }
    const outcome = await sender.send(requestFor(scheme, url.pathname + url.search, asked))
    if (failed(outcome)) return { problem: outcome.detail }
    const { status, cut, content } = outcome
    if (status === 304 && known !== undefined) return {}
    if (status !== 200) return { problem: `it says ${status}` }
    if (cut || content === undefined)
      return { problem: 'it is larger than a picture may be (10 MiB)' }
    const picture = readPicture(content)
    if ('problem' in picture) return { problem: picture.problem.is }
    return { picture: { ...picture, ...validatorsOf(outcome) } }
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

/** Looks names up, and refuses those that lead into a private network. */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const isBad = found?.some(({ address }) => isPrivate(address))
    if (error || isBad)
      done(error ?? Object.assign(new Error(privateHost), { code: 'EPRIVATE' }), '', 4)
    else if (options.all) done(null, found)
    else done(null, found[0]!.address, found[0]!.family)
  })
}
