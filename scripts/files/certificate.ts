import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

// Node makes keys, but no certificates. So little of X.509 (RFC 5280) is needed that it is
// written here, as DER.

/**
 * A new key, and a certificate that it signs itself, both PEM: for servers at `localhost`,
 * `127.0.0.1` and `::1`, and for a year from now.
 */
export const createCertificate = (): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = sequence(
    version3,
    // browsers refuse two certificates of one issuer that have the same number
    der(tag.integer, Buffer.from([1]), randomBytes(15)),
    ecdsaWithSha256,
    localhost,
    // a clock that is a little behind must not find it too young
    sequence(time(-1), time(365)),
    localhost,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  )
  const signature = der(tag.bits, Buffer.from([0]), sign('sha256', body, privateKey))
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64')
  const lines = base64.match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join(
      '\n',
    ),
  }
}

const tag = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  id: 0x06,
  utf8: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
  /** A name, and an address, among the alternative names. */
  dnsName: 0x82,
  ipAddress: 0x87,
  version: 0xa0,
  extensions: 0xa3,
} as const

/** A value after its tag and its length. */
const der = (of: number, ...parts: readonly Uint8Array[]): Buffer => {
  const value = Buffer.concat(parts)
  const { length } = value
  if (length < 0x80) return Buffer.concat([Buffer.from([of, length]), value])
  const digits = length.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([of, 0x80 + bytes.length]), bytes, value])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(tag.sequence, ...parts)

const id = (hex: string): Buffer => der(tag.id, Buffer.from(hex, 'hex'))

/** So many days from now, as `YYMMDDhhmmssZ`. */
const time = (days: number): Buffer => {
  const moment = new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString()
  return der(tag.time, Buffer.from(`${moment.slice(2, 19).replace(/\D/g, '')}Z`))
}

const version3 = der(tag.version, der(tag.integer, Buffer.from([2])))
const ecdsaWithSha256 = sequence(id('2a8648ce3d040302'))

/** Who it is for, and who signed it. */
const localhost = sequence(
  der(tag.set, sequence(id('550403'), der(tag.utf8, Buffer.from('localhost')))),
)

const extension = (kind: string, value: Buffer): Buffer =>
  sequence(id(kind), der(tag.octets, value))

const extensions = der(
  tag.extensions,
  sequence(
    // subjectAltName
    extension(
      '551d11',
      sequence(
        der(tag.dnsName, Buffer.from('localhost')),
        der(tag.ipAddress, Buffer.from([127, 0, 0, 1])),
        der(tag.ipAddress, Buffer.from('1'.padStart(32, '0'), 'hex')),
      ),
    ),
    // basicConstraints: no authority over others
    extension('551d13', sequence()),
    // extKeyUsage: a server's
    extension('551d25', sequence(id('2b06010505070301'))),
  ),
)
