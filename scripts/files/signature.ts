import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { UserError } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import { readFile } from './folder.ts'
import { findProgram } from './program.ts'
import { makeTemporary } from './write.ts'

/** Bytes that a file of keys has at most. */
const keysLimit = 1 << 16

/** Public keys of ssh, as `ssh-keygen` writes them, a line each. */
export type Keys = readonly string[]

/** The public keys of a file such as id_ed25519.pub, or of a line that is one itself. */
export const openKeys = (value: string): Keys => {
  const isFile = fs.existsSync(value) && fs.statSync(value).isFile()
  const folder = path.dirname(path.resolve(value))
  const text = isFile ? readFile(folder, path.basename(value), { limit: keysLimit }) : value
  const lines = `${text ?? ''}`.split('\n').map((line) => line.trim())
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (keys.length > 0 && keys.every((key) => publicKey.test(key))) return keys
  // it may be a secret key, which no log should show
  const name = isFile ? quote(value) : 'the value of --key'
  throw new UserError(`${name} is no public key of ssh`, {
    hint: 'name a file such as id_ed25519.pub, or its line: "ssh-ed25519 AAAA…"',
  })
}

const keyKind = '(?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]+'
const publicKey = new RegExp(`^${keyKind} [A-Za-z0-9+/]+=*(?: .*)?$`)

/**
 * Whether one of the keys signed a file: the key as `ssh-keygen` names it, or why the
 * signature counts for nothing.
 */
type Verdict = { readonly signer: string } | { readonly doubt: string }

/** Asks `ssh-keygen -Y verify` whether one of the keys signed these bytes for Shotpress. */
export const checkSignature = (
  bytes: Uint8Array,
  { signature, keys }: { readonly signature: Uint8Array; readonly keys: Keys },
): Verdict => {
  const program = findProgram('ssh-keygen')
  if (program === undefined) {
    throw new UserError('ssh-keygen is not installed, and --key needs it', {
      hint: 'it comes with OpenSSH, which nearly every system has or offers',
    })
  }
  const { folder, remove } = makeTemporary()
  try {
    const allowed = path.join(folder, 'allowed')
    const copy = path.join(folder, 'signature')
    fs.writeFileSync(allowed, keys.map((key) => `shotpress ${key}\n`).join(''))
    fs.writeFileSync(copy, signature)
    const args = [
      '-Y',
      'verify',
      '-f',
      allowed,
      '-I',
      'shotpress',
      '-n',
      'shotpress',
      '-s',
      copy,
    ]
    const { status, stdout, stderr } = spawnSync(program, args, {
      input: bytes,
      encoding: 'utf8',
      windowsHide: true,
    })
    const signer = /(SHA256:\S+)/.exec(stdout)?.[1]
    if (status === 0 && signer !== undefined) return { signer }
    const [said = ''] = stderr.replaceAll(copy, 'the signature').split('\n')
    return {
      doubt: `${said.trim() || 'another key made it'} (the signer needs -n shotpress)`,
    }
  } finally {
    remove()
  }
}
