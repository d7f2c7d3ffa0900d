import { createPrivateKey, X509Certificate } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { generate } from 'selfsigned'
import { makeRoot } from '../files/folder.ts'
import { openFile } from '../files/open.ts'
import { remove } from '../files/remove.ts'
import { createFile } from '../files/write.ts'

/** Where it is kept: a folder of the user's own, absolute, and the file in it. */
export type Place = { readonly folder: string; readonly name: string }

export type Certificate = {
  /** The certificate and its key, PEM. */
  readonly pem: string
  /** Whether the file holds it: then the next preview has it as well, and the browser knows it. */
  readonly kept: boolean
}

/**
 * The self-signed certificate for this machine that a file of the user's own holds, with its key. A new one is made,
 * and kept if that is possible, where there is none, where it is valid for less than a day, or where it is not ours:
 * a planted key would be known to who planted it.
 */
export const loadCertificate = async (place: Place, now: Date = new Date()): Promise<Certificate> => {
  const known = readOwn(place)
  if (known !== undefined && isUsable(known, now)) return { pem: known, kept: true }
  const { private: key, cert } = await generate([{ name: 'commonName', value: commonName }], {
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
  const pem = `${key.trim()}\n${cert.trim()}\n`
  return { pem, kept: keep(place, pem) }
}

const commonName = 'localhost'
const altNames = 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1'
const day = 24 * 60 * 60 * 1000

/** The most bytes that the file is read of: ours has some 1,000. */
const most = 10_000

/** The text of a plain file that only this user can read, in a folder that only this user can change. */
const readOwn = ({ folder, name }: Place): string | undefined => {
  if (!isOwnFolder(folder)) return undefined
  const file = openFile(folder, name)
  if (file === undefined) return undefined
  try {
    const stat = fs.fstatSync(file)
    return stat.size <= most && isOwn(stat, 0o077) ? fs.readFileSync(file, 'utf8') : undefined
  } finally {
    fs.closeSync(file)
  }
}

const isOwnFolder = (folder: string): boolean => {
  try {
    const stat = fs.lstatSync(folder)
    return stat.isDirectory() && isOwn(stat, 0o022)
  } catch {
    return false // nothing is there, or nothing that can be looked at
  }
}

/** Whether it belongs to this user, without some rights of others. Windows has no such bits, but folders of users. */
const isOwn = ({ uid, mode }: fs.Stats, others: number): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & others) === 0)

const isUsable = (pem: string, now: Date): boolean => {
  try {
    const certificate = new X509Certificate(pem)
    return (
      certificate.subject === `CN=${commonName}` &&
      certificate.subjectAltName === altNames &&
      !certificate.ca &&
      certificate.checkPrivateKey(createPrivateKey(pem)) &&
      Date.parse(certificate.validTo) > now.getTime() + day
    )
  } catch {
    return false // no certificate with its key
  }
}

/** Writes the file; says whether that was possible. */
const keep = ({ folder, name }: Place, pem: string): boolean => {
  try {
    makeRoot(folder)
    if (!isOwnFolder(folder)) return false
    remove(folder, name) // whatever it is, its rights are not to be handed on
    createFile(folder, name, pem, { mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    return false
  }
}

/** A user's own folder for what a program keeps and can make anew, as each system has it. */
export const userFolder = (
  platform: NodeJS.Platform,
  { env, home }: { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string },
): string => {
  switch (platform) {
    case 'win32':
      return path.win32.join(env.LOCALAPPDATA || path.win32.join(home, 'AppData', 'Local'), 'Shotpress')
    case 'darwin':
      return path.posix.join(home, 'Library', 'Application Support', 'Shotpress')
    default: {
      // the specification of XDG has paths that are not absolute ignored
      const given = env.XDG_STATE_HOME ?? ''
      const folder = given.startsWith('/') ? given : path.posix.join(home, '.local', 'state')
      return path.posix.join(folder, 'shotpress')
    }
  }
}
