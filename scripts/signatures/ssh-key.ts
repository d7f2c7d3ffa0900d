import { createPublicKey, hash, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import { fromBase64 } from './base64.ts'
import type { Key } from './key.ts'
import { padNumber, readStrings } from './ssh-bytes.ts'

/** The key of a line of id_….pub; `undefined` if it is none, or not of a kind that can be used. */
export const readSshKey = (line: string): Key | undefined => {
  const [, type, base64] = /^([a-z0-9-]+) +([A-Za-z0-9+/=]+)(?: .*)?$/.exec(line) ?? []
  const blob = fromBase64(base64 ?? '')
  const key = blob && openSshKey(blob)
  if (key === undefined || readStrings(blob!).next().toString() !== type) return undefined
  return { program: 'ssh-keygen', id: sshKeyId(blob!), key }
}

/** As ssh-keygen prints it. */
export const sshKeyId = (blob: Buffer): string =>
  `SHA256:${hash('sha256', blob, 'base64').replace(/=+$/, '')}`

const curves: Readonly<Record<string, { crv: string; size: number; hash: string }>> = {
  nistp256: { crv: 'P-256', size: 32, hash: 'sha256' },
  nistp384: { crv: 'P-384', size: 48, hash: 'sha384' },
  nistp521: { crv: 'P-521', size: 66, hash: 'sha512' },
}

const openSshKey = (blob: Buffer): KeyObject | undefined => {
  const strings = readStrings(blob)
  const type = strings.next().toString()
  const jwk = readers[type.replace(/nistp\d+$/, '')]?.(strings.next)
  if (jwk === undefined || !strings.isDone()) return undefined
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    return (key.asymmetricKeyDetails?.modulusLength ?? 2048) >= 2048 ? key : undefined
  } catch {
    return undefined // such as a point that is not on its curve
  }
}

const readers: Readonly<Record<string, (next: () => Buffer) => JsonWebKey | undefined>> = {
  'ssh-ed25519': (next) => ({ kty: 'OKP', crv: 'Ed25519', x: next().toString('base64url') }),
  'ssh-rsa': (next) => ({ e: next().toString('base64url'), n: numberOf(next()), kty: 'RSA' }),
  'ecdsa-sha2-': (next) => {
    const curve = curves[next().toString()]
    const point = next()
    if (curve === undefined || point[0] !== 4 || point.length !== 1 + 2 * curve.size) return undefined
    const [x, y] = [point.subarray(1, 1 + curve.size), point.subarray(1 + curve.size)]
    return { kty: 'EC', crv: curve.crv, x: x.toString('base64url'), y: y.toString('base64url') }
  },
}

const numberOf = (bytes: Buffer): string => bytes.subarray(bytes[0] === 0 ? 1 : 0).toString('base64url')

/** Whether a key made a signature of bytes; `form` is how ssh calls the way in which it was made. */
export const verifySsh = (
  key: KeyObject,
  bytes: Buffer,
  { form, signature }: { readonly form: string; readonly signature: Buffer },
): boolean => {
  const [, rsaHash] = /^rsa-sha2-(256|512)$/.exec(form) ?? []
  if (rsaHash !== undefined) {
    return key.asymmetricKeyType === 'rsa' && verify(`sha${rsaHash}`, bytes, key, signature)
  }
  if (form === 'ssh-ed25519') {
    return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, signature)
  }
  const curve = curves[form.replace(/^ecdsa-sha2-/, '')]
  const strings = readStrings(signature)
  const [r, s] = [padNumber(strings.next(), curve?.size ?? 0), padNumber(strings.next(), curve?.size ?? 0)]
  if (curve === undefined || r === undefined || s === undefined || !strings.isDone()) return false
  const sameCurve = key.export({ format: 'jwk' }).crv === curve.crv
  const both = Buffer.concat([r, s])
  return sameCurve && verify(curve.hash, bytes, { key, dsaEncoding: 'ieee-p1363' }, both)
}
