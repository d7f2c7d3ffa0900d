/**
 * A client of the API in one file without dependencies, for browsers, Node 20 and later, and
 * workers. Copy it. docs/client.md says how it is used.
 */

// made from the fields of the API by npm run bless: types

/** The profile of a member. */
export type Profile = {
  /** How many follow the member. A whole number from 0 up. */
  readonly totalFollowers: string
  /** How many the member follows. A whole number from 0 up. */
  readonly totalFollowing: string
  /** How many likes the member has. A whole number from 0 up. */
  readonly Likes: string
  /** How many shots the member has; may be more than are served. A whole number from 0 up. */
  readonly totalShots: string
  /** How many lists the member keeps. A whole number from 0 up. */
  readonly Lists: string
  /** In how many lists of others the member is. A whole number from 0 up. */
  readonly Listed: string
  /** How many projects the member has. A whole number from 0 up. */
  readonly Projects: string
  /** The member's id. A whole number from 1 up. */
  readonly id: string
  /** The member's username of today. 1 to 64 of `A-Z a-z 0-9 . _ -`, beginning with a letter or digit. */
  readonly username: string
  /** The display name. Text, not blank. */
  readonly name: string
  /** Where the member is. Text, or empty. */
  readonly location: string
  /** The member's page on a microblogging network. An `http://` or `https://` address as its owner wrote it, or empty. */
  readonly twitter: string
  /** The member's website. An `http://` or `https://` address as its owner wrote it, or empty. */
  readonly website: string
  /** What the member says of themselves; may hold hash-tags. Text, or empty. */
  readonly bio: string
  /** What the member can do. Words joined by commas, without spaces, or empty. */
  readonly skills: string
  /** The member's picture. An address in the scheme of the request, or empty. */
  readonly avatar: string
  /** The type of the account; the site gives the codes their meaning. A whole number from 0 up. */
  readonly type_account: string
  /** The picture at the top of the member's page. An address in the scheme of the request, or empty. */
  readonly cover_image: string
}

/** One published work of a member. */
export type Shot = {
  /** The shot's id, unique over the site. A whole number from 1 up. */
  readonly id: string
  /** The id of the project that it belongs to; `0` is none. A whole number from 1 up, or `0`. */
  readonly id_project: string
  /** When that project began; all zeros without a project. `YYYY-MM-DD HH:MM:SS`, or `0000-00-00 00:00:00`. */
  readonly created_project: string
  /** The picture. An address in the scheme of the request. */
  readonly image: string
  /** The picture in a large size. An address in the scheme of the request. */
  readonly large_image: string
  /** A name for the shot, unique over the site; it proves nothing. 40 of `0-9a-f`. */
  readonly token_id: string
  /** What its member says of it. Text, or empty. */
  readonly description: string
  /** What it is called. Text, not blank. */
  readonly title: string
  /** The member's `id`. A whole number from 1 up. */
  readonly user_id: string
  /** Its status; the site gives the codes their meaning. A whole number from 0 up. */
  readonly status: string
  /** What it is about. Words joined by commas, without spaces, or empty. */
  readonly tags: string
  /** When it was made; no zone is known. `YYYY-MM-DD HH:MM:SS`. */
  readonly date: string
  /** A file that comes with it. An address in the scheme of the request, or empty. */
  readonly attachment: string
  /** Where it can be bought. An `http://` or `https://` address as its owner wrote it, or empty. */
  readonly url_purchased: string
  /** What it costs. Text, or empty. */
  readonly price_item: string
}

const prefix = '/api/username/'
const usernames = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9-])?$/
// end of what is made

/** What is asked for is not there: no member has this username, in this letter case. */
export type NotFound = 'not_found'

/** A row of the list of members. */
export type ListedMember = Pick<Profile, 'id' | 'username' | 'name' | 'totalShots'> & {
  /** That of the newest published shot, or all zeros. `YYYY-MM-DD HH:MM:SS`. */
  readonly date: string
}

export type Client = {
  /** All members, sorted by username; not found where the site has no `members: true`. */
  readonly members: (options?: RequestOptions) => Promise<readonly ListedMember[] | NotFound>
  /** The profile of a member. */
  readonly profile: (
    username: string,
    options?: RequestOptions,
  ) => Promise<Profile | NotFound>
  /**
   * When the site was published; rejects with what is wrong with that. Not found where it
   * doesn't say so.
   */
  readonly published: (options?: PublishedOptions) => Promise<Published | NotFound>
  /** The newest shots of a member, newest first; an empty list if there are none. */
  readonly shots: (
    username: string,
    options?: RequestOptions,
  ) => Promise<readonly Shot[] | NotFound>
}

/** What a site says of its publication. */
export type Published = {
  /** In UTC. `YYYY-MM-DD HH:MM:SS`. */
  readonly published: string
  /** What it was made from; may be empty. */
  readonly commit: string
  /**
   * The sha256 of the list of files, and of the index of everything (empty where the site has
   * none).
   */
  readonly sums: string
  readonly all: string
}

export type PublishedOptions = RequestOptions & {
  /** The line of an Ed25519 key of ssh that has to have signed it: `ssh-ed25519 AAAA…`. */
  readonly key?: string | undefined
  /** Milliseconds that it may be old. */
  readonly maxAge?: number | undefined
  /** What was `published` when you asked last: nothing older is taken. */
  readonly since?: string | undefined
}

export type RequestOptions = {
  /** Ends the request, and the waiting between two tries. */
  readonly signal?: AbortSignal | undefined
}

export type ClientOptions = {
  /**
   * Scheme of the requests, and so of the addresses in the answers. Default: that of the
   * page, else of the base.
   */
  readonly scheme?: 'https' | 'http' | undefined
  /** How often a request is sent again after a failure that may pass. Default: 2. */
  readonly retries?: number | undefined
  /** Milliseconds that an answer may take, its body included. Default: 30,000. */
  readonly timeout?: number | undefined
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch | undefined
}

/**
 * The API could not be asked, or its answer is none of its own. `status` is 0 where there was
 * no answer at all.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** `base` is what the paths of the API follow: `https://api.example.com`. Nothing is sent yet. */
export const createClient = (base: string | URL, options: ClientOptions = {}): Client => {
  const root = rootOf(base, options.scheme)
  const kept = new Map<string, { readonly tag: string; readonly body: unknown }>()

  const get = async (path: string, { signal }: RequestOptions) => {
    const url = root + path
    const known = kept.get(url)
    const response = await send(url, known?.tag, signal)
    if (response.status === 304 && known) return known.body
    if (response.status === 404) return notFound
    if (response.status !== 200)
      throw new ApiError(`${url} answers ${response.status}`, response.status)
    const body: unknown = await response.json().catch((cause) => {
      signal?.throwIfAborted()
      throw new ApiError(`${url} answers with something else than JSON`, 200, { cause })
    })
    const tag = response.headers.get('ETag')
    kept.delete(url)
    if (tag) kept.set(url, { tag, body })
    if (kept.size > keptMost) kept.delete(kept.keys().next().value!)
    return body
  }

  /** Reading changes nothing, so it is safe to try again. */
  const send = async (
    url: string,
    tag: string | undefined,
    signal: AbortSignal | undefined,
  ) => {
    const ask = options.fetch ?? fetch
    for (let left = options.retries ?? 2, wait = 500; ; left--, wait *= 2) {
      const headers: Record<string, string> = tag ? { 'If-None-Match': tag } : {}
      const late = AbortSignal.timeout(options.timeout ?? 30_000)
      const request = { headers, signal: signal ? AbortSignal.any([signal, late]) : late }
      const response = await ask(url, request).catch((cause: unknown) => {
        signal?.throwIfAborted()
        if (left > 0) return undefined
        throw new ApiError(`${url} can't be reached`, 0, { cause })
      })
      if (response && (left <= 0 || !passing.includes(response.status))) return response
      const after = response?.headers.get('Retry-After') ?? ''
      const asked = Number(after) * 1000 || Date.parse(after) - Date.now() || 0
      if (response && asked > longestWait) return response
      await response?.body?.cancel()
      await pause(Math.max(asked, wait * (0.5 + Math.random() / 2)), signal)
    }
  }

  const bytesOf = async (path: string, { signal }: RequestOptions) => {
    const response = await send(root + path, undefined, signal)
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined
  }

  const published = async ({ key, maxAge, since = '', ...request }: PublishedOptions) => {
    const fail = (why: string): never => {
      throw new ApiError(`${root}: published.json ${why}`, 200)
    }
    const bytes = await bytesOf('/published.json', request)
    if (!bytes)
      return key === undefined && maxAge === undefined ? notFound : fail('is missing')
    const said = jsonOf(bytes)
    const time = Date.parse(`${said?.published?.replace?.(' ', 'T')}Z`)
    if (!said || Number.isNaN(time)) return fail('does not say when it was published')
    const signature =
      key === undefined ? bytes : await bytesOf('/published.json.sig', request)
    if (key !== undefined && !(signature && (await isSigned(bytes, signature, key))))
      return fail('is not signed by the key')
    const age = Date.now() - time
    if (maxAge !== undefined && (age > maxAge || age < -3_600_000))
      fail(`is of ${said.published}, ${age < 0 ? 'a time to come' : 'too old'}`)
    if (said.published < since) fail(`is of ${said.published}, older than ${since}`)
    // the index of plain http is another one
    if (said.all && root.startsWith('https:')) {
      const index = await bytesOf('/api/all', request)
      if (!index) return fail("names /api/all, which can't be had")
      if (hexOf(await digest('SHA-256', index)) !== said.all)
        fail('is of another snapshot than /api/all')
    }
    return said
  }

  const ofMember = async (username: string, suffix: string, request: RequestOptions) =>
    usernames.test(username) ? get(prefix + username + suffix, request) : notFound

  return {
    members: async (request = {}) => {
      const body = checked<{ readonly Members: readonly ListedMember[] }>(
        await get('/api/members', request),
        'Members',
      )
      return body === notFound ? body : body.Members
    },
    published: (request = {}) => published(request),
    profile: async (username, request = {}) =>
      checked<Profile>(await ofMember(username, '', request), 'username'),
    shots: async (username, request = {}) => {
      const body = checked<{ readonly Shots: readonly Shot[] }>(
        await ofMember(username, '/shots', request),
        'Shots',
      )
      return body === notFound ? body : body.Shots
    },
  }
}

/**
 * The moment that a timestamp of the API stands for, taken as UTC; `undefined` for the one
 * that is all zeros.
 */
export const dateOf = (timestamp: string): Date | undefined =>
  timestamp.startsWith('0000') ? undefined : new Date(`${timestamp.replace(' ', 'T')}Z`)

/** The words of `skills` or `tags`; none of an empty text. */
export const wordsOf = (text: string): readonly string[] => (text ? text.split(',') : [])

const notFound = 'not_found'

/** Answers that are kept to be asked for with their ETags. */
const keptMost = 500

/** Statuses that may be others in a moment. */
const passing: readonly number[] = [429, 500, 502, 503, 504]

/** Milliseconds; who is asked to wait longer gets the answer instead. */
const longestWait = 30_000

/** One port can't serve two schemes, so a base with a port keeps its own. */
const rootOf = (base: string | URL, scheme: string | undefined): string => {
  if (!/^https?:\/\/./i.test(`${base}`))
    throw new TypeError(`write https:// and the name of the host, not "${base}"`)
  const url = new URL(base)
  const page = (globalThis as { location?: { protocol: string } }).location?.protocol
  const own = page === 'https:' || page === 'http:' ? page : url.protocol
  if (!url.port) url.protocol = scheme ?? own
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '')
}

/** The body of a list has its records under the key; a profile is one, with its username. */
const checked = <Body extends object>(body: unknown, key: string): Body | NotFound => {
  const value = (body as Partial<Record<string, unknown>> | null)?.[key]
  const records = key === 'username' && value ? [body] : value
  if (body === notFound || (Array.isArray(records) && records.every(isRecord)))
    return body as Body | NotFound
  throw new ApiError('the answer is none of the API', 200)
}

/** Each has an id, and all its values are texts. */
const isRecord = (value: unknown): boolean =>
  'id' in Object(value) &&
  Object.values(Object(value)).every((one) => typeof one === 'string')

const jsonOf = (bytes: Uint8Array): Published | undefined => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) ?? undefined
  } catch {
    return undefined
  }
}

const digest = async (name: string, bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest(name, bytes as BufferSource))

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Whether `ssh-keygen -Y sign -n shotpress` made this of the bytes with the secret half of an
 * Ed25519 key.
 */
const isSigned = async (
  bytes: Uint8Array,
  armored: Uint8Array,
  line: string,
): Promise<boolean> => {
  try {
    const text = new TextDecoder().decode(armored)
    const key = fromBase64(line.trim().split(/\s+/)[1]!)
    // "SSHSIG", a version, then texts with their lengths
    const parts = textsOf(fromBase64(text.replace(/-----[A-Z ]+-----/g, '')).subarray(10))
    const [own, namespace, reserved, algorithm, signature] = parts as Texts5
    const name = new TextDecoder().decode(algorithm)
    const space = new TextDecoder().decode(namespace)
    if (hexOf(own) !== hexOf(key) || space !== 'shotpress' || !/^sha(?:256|512)$/.test(name))
      return false
    const hash = await digest(name.replace('sha', 'SHA-'), bytes)
    const signed = [namespace, reserved, algorithm, hash].flatMap((part) => [
      0,
      0,
      0,
      part.length,
      ...part,
    ])
    const use = await crypto.subtle.importKey(
      'raw',
      textsOf(key)[1] as BufferSource,
      'Ed25519',
      false,
      ['verify'],
    )
    const data = new Uint8Array([...new TextEncoder().encode('SSHSIG'), ...signed])
    return await crypto.subtle.verify(
      'Ed25519',
      use,
      textsOf(signature)[1] as BufferSource,
      data,
    )
  } catch {
    return false
  }
}

type Texts5 = [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array]

const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replace(/\s/g, '')), (one) => one.charCodeAt(0))

const textsOf = (bytes: Uint8Array): readonly Uint8Array[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const texts: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + view.getUint32(at)
    texts.push(bytes.subarray(at + 4, end))
    at = end
  }
  return texts
}

const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', end, { once: true })
  })
