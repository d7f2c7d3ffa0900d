import { isIP, isIPv4 } from 'node:net'
import path from 'node:path'
import { domainToASCII } from 'node:url'
import { parseUrl, pathOf } from '../content/values/address.ts'
import type { HostFacts, HostOptions } from '../hosts/host.ts'
import { UserError } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import type { Input } from './command.ts'

/** What a flag for a port takes. */
export const portNumber = { takes: 'a port', least: 1, most: 65_535 } as const

/**
 * Options of `npx shotpress host` that say where a server of one's own listens and what it
 * may read.
 */
export const hostFlags = {
  root: {
    value: 'DIR',
    description: 'folder that the server reads (default: that of --out)',
  },
  origin: {
    value: 'URL',
    description:
      'nginx, caddy: address of a store (S3, R2, …) that has the snapshot, instead of --root',
  },
  name: {
    value: 'HOST',
    description: 'name that clients ask for (default: from base_url in site.yaml)',
  },
  listen: { value: 'ADDRESS', description: 'address to listen on (default: all)' },
  http: {
    value: 'PORT',
    number: portNumber,
    default: '80',
    description: 'port for plain http',
  },
  https: { value: 'PORT', number: portNumber, default: '443', description: 'port for https' },
  cert: {
    value: 'FILE',
    description: 'certificate chain, PEM (default: /etc/ssl/certs/HOST.pem)',
  },
  key: { value: 'FILE', description: 'its key, PEM (default: /etc/ssl/private/HOST.key)' },
  trust: {
    value: 'CIDR,…',
    description: 'proxies whose X-Forwarded-Proto is believed (default: none)',
  },
} as const

type Flags = Input<typeof hostFlags>['options'] & { readonly out: string }

/**
 * Checks the flags; whatever passes can stand in a config. `siteName` is the name that
 * base_url gives, if any.
 */
export const parseHostFlags = (
  flags: Flags,
  siteName: string | undefined,
): Omit<HostOptions, keyof HostFacts> => {
  const { http, https, origin, listen } = flags
  const name = parseName(flags.name ?? siteName)
  if (http === https)
    return refuse(`--http and --https are both ${http}`, 'give each its own')
  if (flags.root !== undefined && origin !== undefined)
    return refuse('--root and --origin both say where the snapshot is', 'give one of them')
  return {
    name,
    http,
    https,
    root: parsePath(flags.root ?? flags.out, '--root'),
    origin: origin === undefined ? undefined : parseOrigin(origin),
    listen: listen === undefined ? undefined : parseListen(listen),
    cert: parsePath(flags.cert ?? `/etc/ssl/certs/${name}.pem`, '--cert'),
    key: parsePath(flags.key ?? `/etc/ssl/private/${name}.key`, '--key'),
    trust: (flags.trust ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
      .map(parseBlock),
  }
}

const refuse = (message: string, hint: string): never => {
  throw new UserError(message, { hint })
}

const parseName = (text: string | undefined) => {
  const hint = 'write --name api.example.com'
  if (text === undefined)
    return refuse('there is no name to serve under', `${hint}, or base_url in site.yaml`)
  const name = plainIP(text) ?? domainToASCII(text)
  return (
    plainIP(name) ??
    (isHostName(name) ? name : refuse(`${quote(text)} is not a host name`, hint))
  )
}

/**
 * Letters, digits, `-` and `_` between dots: nothing that a config could read as something
 * else.
 */
const isHostName = (name: string) =>
  name.length <= 253 && name.split('.').every((label) => hostLabel.test(label))

const hostLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

const parseOrigin = (text: string) => {
  const url = parseUrl(text)
  if (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    (plainIP(url.hostname) !== undefined || isHostName(url.hostname)) &&
    // but no escape: Caddy would escape it once more
    /^[A-Za-z0-9/._~+@:=,-]*$/.test(url.pathname) &&
    `${url.username}${url.password}${url.search}${url.hash}` === ''
  ) {
    return url.origin + pathOf(url)
  }
  return refuse(
    `--origin takes the address of a bucket, not ${quote(text)}`,
    'write --origin https://bucket.s3.eu-central-1.amazonaws.com, with the path below it, if there is one',
  )
}

/**
 * A path with slashes, as servers want it on every system. On Windows one that begins with a
 * slash is for another machine.
 */
const parsePath = (text: string, flag: string) => {
  if (/[\u0000-\u001f\u007f]/.test(text))
    return refuse(
      `${flag} holds a control character: ${quote(text)}`,
      'no config can hold it',
    )
  return path.posix.isAbsolute(text)
    ? path.posix.resolve(text)
    : path.resolve(text).replaceAll(path.sep, '/')
}

const parseListen = (text: string) =>
  plainIP(text) ??
  refuse(
    `--listen takes an IP address, not ${quote(text)}`,
    'write --listen 127.0.0.1 or --listen ::1; ports have options of their own',
  )

const parseBlock = (text: string) => {
  const [address = '', size, ...rest] = text.split('/')
  const bits = isIPv4(address) ? 32 : 128
  const sized =
    size === undefined || (/^(?:0|[1-9][0-9]{0,2})$/.test(size) && Number(size) <= bits)
  if (plainIP(address) === address && sized && rest.length === 0) return text
  return refuse(
    `--trust takes addresses and CIDR blocks, not ${quote(text)}`,
    'write --trust 10.0.0.0/8,2001:db8::/32',
  )
}

/**
 * An address without its brackets, if it is one without a zone (`fe80::1%eth0`), which
 * configs can't hold.
 */
const plainIP = (text: string) => {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) !== 0 && !bare.includes('%') ? bare : undefined
}
