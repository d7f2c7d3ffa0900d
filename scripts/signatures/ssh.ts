import { fromBase64 } from './base64.ts'
import type { Key } from './key.ts'
import { readStrings, sshString } from './ssh-bytes.ts'
import { sshKeyId, verifySsh } from './ssh-key.ts'
import type { Message, Verdict } from './verdict.ts'

/** What the signature of a list is for: what `ssh-keygen -Y sign -n` is told. */
export const namespace = 'file'

const magic = Buffer.from('SSHSIG')
/** The first and only version. */
const start = Buffer.concat([magic, Buffer.from([0, 0, 0, 1])])

/** Whether a key of ssh made a signature of a message. */
export const checkSsh = (text: string, message: Message, keys: readonly Key[]): Verdict => {
  const signature = parse(text)
  if (signature === undefined) return 'malformed'
  const key = keys.find(({ id }) => id === sshKeyId(signature.signer))?.key
  if (key === undefined) return 'other-key'
  if (signature.purpose !== namespace) return 'other-purpose'
  const { algorithm } = signature
  const fields = [signature.purpose, '', algorithm].map((field) => sshString(Buffer.from(field, 'latin1')))
  const signed = Buffer.concat([magic, ...fields, sshString(message.hash(algorithm))])
  return verifySsh(key, signed, signature) ? 'signed' : 'other-bytes'
}

const parse = (text: string) => {
  const blob = unwrap(text)
  if (blob === undefined || !blob.subarray(0, start.length).equals(start)) return undefined
  const strings = readStrings(blob.subarray(start.length))
  const [signer, purpose, reserved, hash, body] = Array.from({ length: 5 }, () => strings.next())
  const inner = readStrings(body!)
  const [form, signature] = [inner.next().toString('latin1'), inner.next()]
  const algorithm = (['sha256', 'sha512'] as const).find((name) => name === hash!.toString('latin1'))
  // what is reserved is for versions that nobody knows yet
  if (!strings.isDone() || !inner.isDone() || reserved!.length > 0 || algorithm === undefined)
    return undefined
  return { signer: signer!, purpose: purpose!.toString('latin1'), algorithm, form, signature }
}

/** The bytes between the two lines around them. */
const unwrap = (text: string): Buffer | undefined => {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const isWrapped =
    lines[0] === '-----BEGIN SSH SIGNATURE-----' && lines.at(-1) === '-----END SSH SIGNATURE-----'
  return isWrapped ? fromBase64(lines.slice(1, -1).join('')) : undefined
}
