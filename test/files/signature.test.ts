import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkSignature, type Keys, openKeys } from '../../scripts/files/signature.ts'
import { sandbox } from '../sandbox.ts'
import { canSign, makeSigner, needsSigner, type Signer } from './sign.ts'

const signed = (signer: Signer): string => {
  const file = path.join(sandbox({ 'published.json': '{}\n' }), 'published.json')
  signer.sign(file)
  return file
}

const check = (file: string, keys: Keys) =>
  checkSignature(fs.readFileSync(file), { signature: fs.readFileSync(`${file}.sig`), keys })

describe.skipIf(!canSign)(`a signature of ssh-keygen${needsSigner}`, () => {
  test.each(['ed25519', 'ecdsa', 'rsa'])('by a key of %s counts, also among others', (type) => {
    const signer = makeSigner({ type })
    const line = fs.readFileSync(signer.publicKey, 'utf8').trim()
    const keys = [...openKeys(makeSigner().publicKey), ...openKeys(line)]
    expect(check(signed(signer), keys)).toEqual({ signer: expect.stringMatching(/^SHA256:/) })
  })

  test.each<[string, string, (file: string) => void]>([
    ['of other bytes', 'incorrect signature', (file) => fs.appendFileSync(file, 'x')],
    ['of another key', 'another key made it', (file) => makeSigner().sign(file)],
    ['for another purpose', 'namespace', (file) => makeSigner({ namespace: 'file' }).sign(file)],
    ['that is cut off', 'missing footer', (file) => fs.truncateSync(`${file}.sig`, 99)],
    ['that is empty', 'missing header', (file) => fs.truncateSync(`${file}.sig`, 0)],
  ])('%s counts for nothing, and it is said why', (_, words, spoil) => {
    const signer = makeSigner()
    const file = signed(signer)
    spoil(file)
    expect(check(file, openKeys(signer.publicKey))).toEqual({
      doubt: expect.stringContaining(words),
    })
  })
})

test.each([
  ['no such file', '/nowhere/id.pub', 'neither a file nor a public key'],
  ['what is no key', 'ssh-ed25519', 'neither a file nor a public key'],
  [
    'a key of another program',
    'RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3',
    'public key of ssh',
  ],
  ['what is too long for a name', `ssh-rsa ${'A'.repeat(999)}/B C`.slice(4), 'the value of --key'],
  [
    'a key that was cut off',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPpvWucNSCh1CBM0QTaLn73Y7GFO3RWQf6LRCGA9i5',
    'is a public key of ssh that was cut off',
  ],
  ['a kind without its key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5', 'was cut off'],
  ['a secret key', '-----BEGIN OPENSSH PRIVATE KEY-----\nx', 'is a secret key'],
])('%s is refused as a key', (_, value, words) => {
  expect(() => openKeys(value)).toThrow(words)
})
