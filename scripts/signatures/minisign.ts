import { createPublicKey, verify } from 'node:crypto'
import { fromBase64 } from './base64.ts'
import type { Key } from './key.ts'
import type { Message, Verdict } from './verdict.ts'

/** The key of a line of minisign.pub; `undefined` if it is none. Two letters, eight bytes of ID, and the key. */
export const readMinisignKey = (line: string): Key | undefined => {
  const bytes = fromBase64(line)
  if (bytes?.length !== 42 || bytes.toString('latin1', 0, 2) !== 'Ed') return undefined
  const x = bytes.subarray(10).toString('base64url')
  return {
    program: 'minisign',
    id: idOf(bytes),
    key: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
  }
}

/** Whether a key of minisign made a signature of a message. `text` holds a byte of the file in each of its letters. */
export const checkMinisign = (text: string, message: Message, keys: readonly Key[]): Verdict => {
  const [, head, comment, foot] = form.exec(text) ?? []
  const [body, global] = [fromBase64(head ?? ''), fromBase64(foot ?? '')]
  if (body?.length !== 74 || global?.length !== 64) return 'malformed'
  const signedBytes = messageFor[body.toString('latin1', 0, 2)]
  if (signedBytes === undefined) return 'malformed'
  const key = keys.find(({ id }) => id === idOf(body))?.key
  if (key === undefined) return 'other-key'
  const signature = body.subarray(10)
  // the second one ties the trusted comment to the first
  const tied = Buffer.concat([signature, Buffer.from(comment!, 'latin1')])
  return verify(null, signedBytes(message), key, signature) && verify(null, tied, key, global)
    ? 'signed'
    : 'other-bytes'
}

const form =
  /^untrusted comment: [^\0-\x1f\x7f]*\r?\n([^\r\n]+)\r?\ntrusted comment: ([^\r\n]*)\r?\n([^\r\n]+)(?:\r?\n)?$/

/** What is signed, by the two letters that say so: the hash of the file, or in older versions the file. */
const messageFor: Readonly<Record<string, (message: Message) => Buffer>> = {
  ED: ({ hash }) => hash('blake2b512'),
  Ed: ({ bytes }) => bytes(),
}

/** As minisign prints it: a number of eight bytes, the least one first. */
const idOf = (bytes: Buffer): string => bytes.readBigUInt64LE(2).toString(16).toUpperCase().padStart(16, '0')
