import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCertificate } from '../../scripts/files/certificate.ts'
import { hasBrowser } from '../preview/browser.ts'
import { args, executablePath } from '../preview/chromium.ts'
import { sandbox } from '../sandbox.ts'

const page = '<!doctype html><title>Seen over https</title>'

/** The address of a server on this machine that has a certificate of ours, until the test ends. */
const serve = async (): Promise<string> => {
  const server = https.createServer(createCertificate(), (_, response) => response.end(page))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('openssl finds nothing against the certificate by its strict rules', () => {
  const folder = sandbox()
  const file = path.join(folder, 'cert.pem')
  fs.writeFileSync(file, createCertificate().cert)
  const strict = ['-x509_strict', '-check_ss_sig', '-purpose', 'sslserver']
  const { stdout, stderr } = spawnSync('openssl', ['verify', ...strict, '-CAfile', file, file])
  expect(`${stdout}${stderr}`).toBe(`${file}: OK\n`)
})

describe.skipIf(!hasBrowser)(hasBrowser ? 'Chromium' : 'Chromium (skipped: it is missing)', () => {
  test('shows the page to whoever goes on at its warning', async () => {
    const browser = await chromium.launch({ executablePath, args: [...args] })
    onTestFinished(() => browser.close())
    const address = await serve()
    const strict = await browser.newPage()
    await expect(strict.goto(address)).rejects.toThrow('net::ERR_CERT_AUTHORITY_INVALID')
    const tab = await browser.newPage({ ignoreHTTPSErrors: true })
    await tab.goto(address)
    expect(await tab.title()).toBe('Seen over https')
  })
})
