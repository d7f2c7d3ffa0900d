import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkList } from '../../scripts/signatures/check-list.ts'
import { readKeys } from '../../scripts/signatures/key.ts'
import { openKeys } from '../../scripts/signatures/open-keys.ts'
import { sandbox } from '../sandbox.ts'
import { acceptedBy, canSign, makeMinisigner, makeSshSigner, needsSigners, type Signer } from './sign.ts'

const list = `${'0'.repeat(64)}  404.json\n`

const folderWith = (text = list): string => sandbox({ SHA256SUMS: text })

const signed = (signer: Signer, text = list): string => {
  const folder = folderWith(text)
  signer.sign(path.join(folder, 'SHA256SUMS'))
  return folder
}

const verdictOn = (folder: string, { publicKey }: Signer): string =>
  checkList(folder, openKeys(publicKey)).verdict

describe.skipIf(!canSign)(`what the programs sign${needsSigners}`, () => {
  const makers = {
    minisign: () => makeMinisigner(),
    'minisign, the old way (-l)': () => makeMinisigner(['-l']),
    'minisign with a comment': () => makeMinisigner(['-t', 'über 9000 \u0001 \u202e']),
    'ssh-keygen with ed25519': () => makeSshSigner(),
    'ssh-keygen with sha256': () => makeSshSigner(undefined, { flags: ['-O', 'hashalg=sha256'] }),
    'ssh-keygen with ecdsa 256': () => makeSshSigner(['-t', 'ecdsa', '-b', '256']),
    'ssh-keygen with ecdsa 384': () => makeSshSigner(['-t', 'ecdsa', '-b', '384']),
    'ssh-keygen with ecdsa 521': () => makeSshSigner(['-t', 'ecdsa', '-b', '521']),
    'ssh-keygen with rsa': () => makeSshSigner(['-t', 'rsa', '-b', '2048']),
  }

  test.each(Object.entries(makers))('%s is taken, until the list changes', (_, make) => {
    const signer = make()
    const folder = signed(signer)
    expect(verdictOn(folder, signer)).toBe('signed')
    fs.appendFileSync(path.join(folder, 'SHA256SUMS'), 'x')
    expect(verdictOn(folder, signer)).toBe('other-bytes')
    fs.rmSync(path.join(folder, 'SHA256SUMS'))
    expect(verdictOn(folder, signer)).toBe('no-list')
  })

  test.each(Object.entries(makers))('%s: an empty list, and one of a megabyte', (_, make) => {
    const signer = make()
    for (const text of ['', 'x'.repeat((1 << 20) + 1)]) {
      expect(verdictOn(signed(signer, text), signer)).toBe('signed')
    }
  })

  test.each([
    ['minisign', () => makeMinisigner()],
    ['ssh-keygen', () => makeSshSigner()],
  ] as const)('of %s, another key and no signature are told apart', (_, make) => {
    const [signer, other] = [make(), make()]
    expect(verdictOn(signed(signer), other)).toBe('other-key')
    expect(verdictOn(folderWith(), signer)).toBe('no-signature')
    expect(
      checkList(
        signed(signer),
        [other, signer].flatMap((one) => openKeys(one.publicKey)),
      ),
    ).toMatchObject({
      verdict: 'signed',
    })
  })

  test('a signature of ssh-keygen for another purpose does not count', () => {
    const signer = makeSshSigner(undefined, { namespace: 'git' })
    expect(verdictOn(signed(signer), signer)).toBe('other-purpose')
  })

  test.each([
    ['minisign', 'SHA256SUMS.minisig', () => makeMinisigner()],
    ['ssh-keygen', 'SHA256SUMS.sig', () => makeSshSigner()],
    ['ssh-keygen', 'SHA256SUMS.sig', () => makeSshSigner(['-t', 'ecdsa'])],
  ] as const)(
    'of %s, no change to the signature is taken that the program itself refuses',
    (program, name, make) => {
      const signer = make()
      const folder = signed(signer)
      const [keys, file] = [openKeys(signer.publicKey), path.join(folder, name)]
      const whole = fs.readFileSync(file)
      const taken = (bytes: Uint8Array): boolean => {
        fs.writeFileSync(file, bytes)
        return checkList(folder, keys).verdict === 'signed'
      }
      const wrong: string[] = []
      const look = (bytes: Uint8Array, what: string): void => {
        const isTaken = taken(bytes)
        if (isTaken && !acceptedBy[program](path.join(folder, 'SHA256SUMS'), signer.publicKey))
          wrong.push(what)
      }
      for (let at = 0; at < whole.length; at++) {
        for (const bits of [1, 0x20, 0x80]) {
          const bytes = Uint8Array.from(whole)
          bytes[at]! ^= bits
          look(bytes, `byte ${at} by ${bits}`)
        }
        if (at < whole.length - 1) look(whole.subarray(0, at), `the first ${at} bytes`)
      }
      for (const bytes of [
        Buffer.concat([whole, whole]),
        Buffer.concat([whole, Buffer.from('x')]),
        Buffer.alloc(1 << 17, 65),
      ]) {
        expect(taken(bytes)).toBe(false)
      }
      expect(wrong).toEqual([])
      expect(taken(whole)).toBe(true)
    },
  )

  test.each([
    ['minisign', () => makeMinisigner()],
    ['ssh-keygen', () => makeSshSigner()],
  ] as const)('a key of %s may be named by its text, and by a file of several', (_, make) => {
    const [signer, other] = [make(), make()]
    const text = fs.readFileSync(signer.publicKey, 'utf8').trim().split('\n').at(-1)!
    expect(checkList(signed(signer), openKeys(text)).verdict).toBe('signed')
    const both = path.join(sandbox({ keys: fs.readFileSync(other.publicKey, 'utf8') + text }), 'keys')
    expect(checkList(signed(signer), openKeys(both)).verdict).toBe('signed')
  })

  test('a key may be given as its line, also one that is too long for a file name', () => {
    const signer = makeSshSigner()
    const line = `${fs.readFileSync(signer.publicKey, 'utf8').trim()} ${'x'.repeat(300)}`
    expect(checkList(signed(signer), openKeys(line)).verdict).toBe('signed')
  })

  test('a secret key is refused, and said to be one', () => {
    for (const { publicKey } of [makeMinisigner(), makeSshSigner()]) {
      const secret = publicKey.endsWith('minisign.pub')
        ? publicKey.replace(/pub$/, 'key')
        : publicKey.replace(/\.pub$/, '')
      expect(() => openKeys(secret)).toThrow('is a secret key')
    }
  })
})

test('a key that is no file is told to be none, and a long one is not shown', () => {
  expect(() => openKeys('minisgn.pub')).toThrow('there is no file "minisgn.pub", and it is not a public key')
  const secret = `untrusted comment: minisign encrypted secret key\n${'RWRT'.repeat(53)}\n`
  expect(() => openKeys(secret)).toThrow(/^the value of --key is a secret key$/)
})

test.each([
  ['nothing', ''],
  ['a name of no file', 'minisgn.pub'],
  ['a comment alone', 'untrusted comment: minisign public key\n'],
  ['half a key of minisign', 'RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0Q'],
  ['a signature', '-----BEGIN SSH SIGNATURE-----'],
  ['a kind that can not be used', 'ssh-dss AAAAB3NzaC1kc3M='],
  [
    'a kind that is not the one inside',
    `ssh-rsa ${Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x01x').toString('base64')}`,
  ],
  ['a point that is on no curve', ecdsa(Buffer.alloc(65, 4))],
  ['a list of allowed signers', 'ana@example.com ssh-ed25519 AAAA'],
  ['text to harm a terminal', '\u001b[31mred'],
])('%s is no public key', (_, text) => {
  expect(() => readKeys(text, 'the key')).toThrow('the key is not a public key that can be used')
})

function ecdsa(point: Buffer): string {
  const string = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const type = 'ecdsa-sha2-nistp256'
  const blob = Buffer.concat([Buffer.from(type), Buffer.from('nistp256'), point].map(string))
  return `${type} ${blob.toString('base64')}`
}

test('a folder in place of a signature is no signature', () => {
  const folder = folderWith()
  fs.mkdirSync(path.join(folder, 'SHA256SUMS.minisig'))
  const key = readKeys('RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3', 'the key')
  expect(checkList(folder, key).verdict).toBe('malformed')
})
