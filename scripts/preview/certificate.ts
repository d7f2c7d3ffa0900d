import { createPrivateKey, X509Certificate } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { generate } from 'selfsigned'
import { makeRoot, openFile } from '../files/folder.ts'
import { createFile, remove } from '../files/write.ts'

/**
 * The self-signed certificate for this machine that a folder of the user's own holds, with its key: PEM. A new one is
 * made, and kept if that is possible, where there is none, where it is valid for less than a day, or where it is not
 * ours: a planted key would be known to who planted it.
 */
export const loadCertificate = async (folder: string, now: Date = new Date()): Promise<string> => {
  const known = readOwn(folder)
  if (known !== undefined && isUsable(known, now)) return known
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
  const pem = `${key.trim()}\n${cert.trim()}\n`
  keep(folder, pem)
  return pem
}

const name = 'localhost.pem'
const day = 24 * 60 * 60 * 1000

/** The text of a plain file that only this user can read, in a folder that only this user can change. */
const readOwn = (folder: string): string | undefined => {
  const file = isOwnFolder(folder) ? openFile(folder, name) : undefined
  if (file === undefined) return undefined
  try {
    return isOwn(fs.fstatSync(file), 0o077) ? fs.readFileSync(file, 'utf8') : undefined
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
    const isLasting = Date.parse(certificate.validTo) > now.getTime() + day
    return isLasting && certificate.checkPrivateKey(createPrivateKey(pem))
  } catch {
    return false // no certificate with its key
  }
}

/** Writes the file, if that is possible. */
const keep = (folder: string, pem: string): void => {
  try {
    makeRoot(folder)
    if (!isOwnFolder(folder)) return
    remove(folder, name) // whatever it is, its rights are not to be handed on
    createFile(folder, name, pem, { mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
  }
}

/** A user's own folder for what a program keeps and can make anew, as each system has it. */
export const userFolder = (
  platform: NodeJS.Platform,
  { env, home }: { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string },
): string => {
  if (platform === 'darwin') return path.posix.join(home, 'Library/Application Support/Shotpress')
  if (platform === 'win32')
    return path.win32.join(env.LOCALAPPDATA || path.win32.join(home, 'AppData/Local'), 'Shotpress')
  // the specification of XDG has paths that are not absolute ignored
  const given = env.XDG_STATE_HOME ?? ''
  return path.posix.join(given.startsWith('/') ? given : `${home}/.local/state`, 'shotpress')
}
