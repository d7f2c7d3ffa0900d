import { X509Certificate } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ensureCertificate } from '../../scripts/preview/certificate.ts'
import { makeSandbox } from '../snapshot/sandbox.ts'

const days = (count: number) => new Date(Date.UTC(2030, 0, 1 + count))
const file = () => path.join(makeSandbox(), 'localhost.pem')
const read = (pem: string) => fs.readFileSync(pem, 'utf8')

test('the certificate is for this machine under each of its names', async () => {
  const pem = file()
  await ensureCertificate(pem)
  const certificate = new X509Certificate(read(pem))
  expect(certificate.checkHost('localhost')).toBe('localhost')
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(certificate.checkIP('::1')).toBeDefined()
  expect(certificate.checkHost('example.com')).toBeUndefined()
  expect(certificate.ca).toBe(false)
})

test('it is kept as long as it is valid, and renewed when it expires', async () => {
  const pem = file()
  await ensureCertificate(pem, days(0))
  const first = read(pem)
  await ensureCertificate(pem, days(363))
  expect(read(pem)).toBe(first)
  await ensureCertificate(pem, days(365))
  expect(read(pem)).not.toBe(first)
  expect(Date.parse(new X509Certificate(read(pem)).validTo)).toBe(days(730).getTime())
})

test('a damaged file and a key of another certificate are replaced', async () => {
  const [pem, other] = [file(), file()]
  await ensureCertificate(other)
  const [otherKey] = read(other).split('-----BEGIN CERTIFICATE')
  await ensureCertificate(pem)
  const [, certificate] = read(pem).split('-----BEGIN CERTIFICATE')
  for (const text of ['', 'no pem', `${otherKey}-----BEGIN CERTIFICATE${certificate}`]) {
    fs.writeFileSync(pem, text)
    await ensureCertificate(pem)
    expect(new X509Certificate(read(pem)).checkHost('localhost')).toBe('localhost')
    expect(read(pem)).not.toBe(text)
  }
})

test('nobody but its owner can read it', async () => {
  const pem = file()
  fs.writeFileSync(pem, 'readable by all', { mode: 0o644 })
  await ensureCertificate(pem)
  expect(fs.statSync(pem).mode & 0o777).toBe(0o600)
  expect(fs.readdirSync(path.dirname(pem))).toEqual(['localhost.pem'])
})
