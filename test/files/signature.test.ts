import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkSignature, type Keys, openKeys } from '../../scripts/files/signature.ts'
import { readText, sandbox } from '../sandbox.ts'
import { rowsOf } from '../tables.ts'
import { canSign, makeSigner, needsSigner, type Signer } from './sign.ts'

const signed = (signer: Signer) => {
  const file = `${sandbox({ 'published.json': '{}\n' })}/published.json`
  signer.sign(file)
  return file
}

const check = (file: string, keys: Keys) =>
  checkSignature(fs.readFileSync(file), { signature: fs.readFileSync(`${file}.sig`), keys })

describe.skipIf(!canSign)(`a signature of ssh-keygen${needsSigner}`, () => {
  test.each(['ed25519', 'ecdsa', 'rsa'])(
    'by a key of %s counts, also among others',
    (type) => {
      const signer = makeSigner({ type })
      const line = readText(signer.publicKey).trim()
      const keys = [...openKeys(makeSigner().publicKey), ...openKeys(line)]
      expect(check(signed(signer), keys)).toEqual({
        signer: expect.stringMatching(/^SHA256:/),
      })
    },
  )

  test.each<[string, string, (file: string) => void]>([
    ['of other bytes', 'incorrect signature', (file) => fs.appendFileSync(file, 'x')],
    ['of another key', 'another key made it', (file) => makeSigner().sign(file)],
    [
      'for another purpose',
      'namespace',
      (file) => makeSigner({ namespace: 'file' }).sign(file),
    ],
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

test.each(
  rowsOf(`
    no such file → /nowhere/id.pub
    what is no key → ssh-ed25519
    a key of another program → RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3
    a secret key → -----BEGIN OPENSSH PRIVATE KEY-----⏎x
  `),
)('%s is refused as a key, and not shown', (_, value) =>
  expect(() => openKeys(value)).toThrow('the value of --key is no public key of ssh'),
)
