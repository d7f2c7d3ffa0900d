import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { createCertificate } from '../../scripts/files/certificate.ts'
import { sandbox } from '../sandbox.ts'

test('openssl finds nothing against the certificate by its strict rules', () => {
  const folder = sandbox()
  const file = `${folder}/cert.pem`
  fs.writeFileSync(file, createCertificate().cert)
  const strict = ['-x509_strict', '-check_ss_sig', '-purpose', 'sslserver']
  const { stdout, stderr } = spawnSync('openssl', [
    'verify',
    ...strict,
    '-CAfile',
    file,
    file,
  ])
  expect(`${stdout}${stderr}`).toBe(`${file}: OK\n`)
})
