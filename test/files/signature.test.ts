import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkSignature, openKeys } from '../../scripts/files/signature.ts'
import { sandbox } from '../sandbox.ts'
import { canSign, makeSigner, needsSigner, type Signer } from './sign.ts'

const list = { file: 'SHA256SUMS', signature: 'SHA256SUMS.sig' }

const signed = (signer: Signer): string => {
  const folder = sandbox({ SHA256SUMS: 'a list\n' })
  signer.sign(path.join(folder, list.file))
  return folder
}

describe.skipIf(!canSign)(`a signature of ssh-keygen${needsSigner}`, () => {
  test.each(['ed25519', 'ecdsa', 'rsa'])('by a key of %s counts, also among others', (type) => {
    const [signer, other] = [makeSigner({ type }), makeSigner()]
    const line = fs.readFileSync(signer.publicKey, 'utf8').trim()
    const keys = [...openKeys(other.publicKey), ...openKeys(line)]
    expect(checkSignature(signed(signer), { ...list, keys })).toEqual({
      signer: expect.stringMatching(/^SHA256:/),
    })
  })

  test.each<[string, (folder: string) => void]>([
    ['of other bytes', (folder) => fs.appendFileSync(path.join(folder, list.file), 'x')],
    ['of another key', (folder) => makeSigner().sign(path.join(folder, list.file))],
    ['for another purpose', (folder) => makeSigner({ namespace: 'git' }).sign(path.join(folder, list.file))],
    ['that is cut off', (folder) => fs.truncateSync(path.join(folder, list.signature), 99)],
    ['that is empty', (folder) => fs.truncateSync(path.join(folder, list.signature), 0)],
    ['of a megabyte', (folder) => fs.truncateSync(path.join(folder, list.signature), 1 << 20)],
    ['that is not there', (folder) => fs.rmSync(path.join(folder, list.signature))],
    ['of a list that is not there', (folder) => fs.rmSync(path.join(folder, list.file))],
  ])('%s counts for nothing, and it is said why', (_, spoil) => {
    const signer = makeSigner()
    const [folder, keys] = [signed(signer), openKeys(signer.publicKey)]
    spoil(folder)
    expect(checkSignature(folder, { ...list, keys })).toEqual({ doubt: expect.stringContaining(list.file) })
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
  ['a secret key', '-----BEGIN OPENSSH PRIVATE KEY-----\nx', 'is a secret key'],
])('%s is refused as a key', (_, value, words) => {
  expect(() => openKeys(value)).toThrow(words)
})
