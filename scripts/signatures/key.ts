import type { KeyObject } from 'node:crypto'
import { UserError } from '../problems/user-error.ts'
import { readMinisignKey } from './minisign.ts'
import { readSshKey } from './ssh-key.ts'

/** A public key, by the program that signs with its secret half. */
export type Key = {
  readonly program: 'minisign' | 'ssh-keygen'
  /** How the program calls it: the key's ID in hex, or `SHA256:…`. */
  readonly id: string
  readonly key: KeyObject
}

/** The public keys of a file of minisign (`minisign.pub`) or of ssh-keygen (`id_ed25519.pub`), or of a line of one. */
export const readKeys = (text: string, name: string): readonly Key[] => {
  if (/PRIVATE KEY-----|^untrusted comment:.*secret key/m.test(text)) {
    throw new UserError(`${name} is a secret key`, {
      hint: 'name the public one, and keep this one to yourself',
    })
  }
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|untrusted comment:)/.test(line))
    .map((line) => readMinisignKey(line) ?? readSshKey(line))
  return keys.map((key) => key ?? noKey(name)).concat(keys.length === 0 ? noKey(name) : [])
}

const noKey = (name: string): never => {
  throw new UserError(`${name} is not a public key that can be used`, {
    hint: 'name minisign.pub, or a line such as "ssh-ed25519 AAAA…"; ECDSA will do, and RSA from 2048 bits on',
  })
}
