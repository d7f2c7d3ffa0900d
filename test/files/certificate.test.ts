import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createCertificate } from '../../scripts/files/certificate.ts'

/**
 * Whether a client that trusts the certificate takes a server with it for the one that it
 * asked for.
 */
const isTrusted = async (options: tls.ConnectionOptions) => {
  const { key, cert } = createCertificate()
  const server = tls
    .createServer({ key, cert }, (socket) => socket.end())
    .listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = tls.connect({ port, host: '127.0.0.1', ca: cert, ...options })
  return once(socket, 'secureConnect').then(
    () => socket.authorized,
    () => false,
  )
}

test('a client that trusts the certificate reaches localhost by its name and its address', async () => {
  expect(await isTrusted({})).toBe(true)
  expect(await isTrusted({ servername: 'localhost' })).toBe(true)
  expect(await isTrusted({ servername: 'example.com' })).toBe(false)
})

test('it is signed by its own key, for this machine alone, for a year, and has no authority', () => {
  const certificate = new X509Certificate(createCertificate().cert)
  const { publicKey, subject, issuer, validFrom, validTo } = certificate
  expect(certificate.verify(publicKey)).toBe(true)
  expect([subject, issuer]).toEqual(['CN=localhost', 'CN=localhost'])
  expect(certificate.subjectAltName).toBe(
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
  )
  expect(certificate.ca).toBe(false)
  const now = Date.now()
  expect(Date.parse(validFrom)).toBeLessThan(now - 3_600_000)
  expect(Date.parse(validTo) - now).toBeGreaterThan(364 * 86_400_000)
  expect(Date.parse(validTo) - now).toBeLessThan(398 * 86_400_000)
})
