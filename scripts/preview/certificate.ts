import { createPrivateKey, X509Certificate } from 'node:crypto'
import fs from 'node:fs'
import { generate } from 'selfsigned'

/**
 * Makes sure that a file holds a self-signed certificate for this machine and its key (PEM, one after the other, so
 * that they can't part), readable by its owner alone. One that is valid for another day is kept: the browser knows it.
 */
export const ensureCertificate = async (file: string, now: Date = new Date()): Promise<void> => {
  if (isUsable(file, now)) return
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now.getTime() - day),
    notAfterDate: new Date(now.getTime() + 365 * day),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  })
  const next = `${file}.${process.pid}`
  fs.rmSync(next, { force: true })
  fs.writeFileSync(next, `${key.trim()}\n${cert.trim()}\n`, { mode: 0o600 })
  fs.renameSync(next, file)
}

const day = 24 * 60 * 60 * 1000

const isUsable = (file: string, now: Date): boolean => {
  try {
    const pem = fs.readFileSync(file)
    const { validTo, ...certificate } = read(pem)
    return certificate.fits && Date.parse(validTo) > now.getTime() + day
  } catch {
    return false // missing, or no certificate with its key: a new one takes its place
  }
}

const read = (pem: Buffer): { readonly validTo: string; readonly fits: boolean } => {
  const certificate = new X509Certificate(pem)
  return { validTo: certificate.validTo, fits: certificate.checkPrivateKey(createPrivateKey(pem)) }
}
