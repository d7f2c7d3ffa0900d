import { X509Certificate } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { loadCertificate, userFolder } from '../../scripts/preview/certificate.ts'
import { isPosix, onPosix } from '../posix.ts'
import { sandbox } from '../sandbox.ts'

const days = (count: number) => new Date(Date.UTC(2030, 0, 1 + count))
const place = () => path.join(sandbox(), 'own')
const fileOf = (folder: string) => path.join(folder, 'localhost.pem')
const isRoot = process.getuid?.() === 0

test('the certificate is for this machine under each of its names', async () => {
  const certificate = new X509Certificate(await loadCertificate(place()))
  expect(certificate.checkHost('localhost')).toBe('localhost')
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(certificate.checkIP('::1')).toBeDefined()
  expect(certificate.checkHost('example.com')).toBeUndefined()
  expect(certificate.ca).toBe(false)
})

test('it is kept as long as it is valid, and renewed when it expires', async () => {
  const own = place()
  const first = await loadCertificate(own, days(0))
  expect(first).toBe(fs.readFileSync(fileOf(own), 'utf8'))
  expect(await loadCertificate(own, days(363))).toBe(first)
  const next = await loadCertificate(own, days(365))
  expect(next).not.toBe(first)
  expect(Date.parse(new X509Certificate(next).validTo)).toBe(days(730).getTime())
})

test('nobody but its owner can read it', async () => {
  const own = place()
  await loadCertificate(own)
  if (isPosix) expect(fs.statSync(fileOf(own)).mode & 0o777).toBe(0o600)
  expect(fs.readdirSync(own)).toEqual(['localhost.pem'])
})

const replaces = async (change: (file: string, pem: string) => void | Promise<void>): Promise<void> => {
  const own = place()
  const pem = await loadCertificate(own)
  await change(fileOf(own), pem)
  const now = await loadCertificate(own)
  expect(now).not.toBe(pem)
  expect(now).toBe(fs.readFileSync(fileOf(own), 'utf8'))
  expect(fs.lstatSync(fileOf(own)).isFile()).toBe(true)
}

test.each(['', 'no pem'])('what is not ours is replaced: a damaged file, %j', (text) =>
  replaces((file) => fs.writeFileSync(file, text)),
)

test('what is not ours is replaced: a key of another certificate', () =>
  replaces(async (file, pem) => {
    const [otherKey] = (await loadCertificate(place())).split('-----BEGIN CERTIFICATE')
    const [, certificate] = pem.split('-----BEGIN CERTIFICATE')
    fs.writeFileSync(file, `${otherKey}-----BEGIN CERTIFICATE${certificate}`)
  }))

test.runIf(isPosix)(onPosix('what is not ours is replaced: a file that others can read'), () =>
  replaces((file) => fs.chmodSync(file, 0o644)),
)

test.runIf(isRoot)(
  `what is not ours is replaced: a file that belongs to somebody else${isRoot ? '' : ' (skipped: only root can give a file away)'}`,
  () => replaces((file) => fs.chownSync(file, 65534, 65534)),
)

test.runIf(isPosix)(onPosix('what is not ours is replaced: a link, whose target stays as it is'), () =>
  replaces((file, pem) => {
    fs.writeFileSync(`${file}.other`, pem, { mode: 0o600 })
    fs.rmSync(file)
    fs.symlinkSync(`${file}.other`, file)
  }),
)

test.runIf(isPosix)(onPosix('a folder that others can change holds none'), async () => {
  const own = place()
  fs.mkdirSync(own)
  fs.chmodSync(own, 0o777)
  await loadCertificate(own)
  expect(fs.readdirSync(own)).toEqual([])
})

test('where nothing can be kept there is a certificate all the same', async () => {
  const folder = path.join(sandbox(), 'file')
  fs.writeFileSync(folder, '')
  const pem = await loadCertificate(path.join(folder, 'own'))
  expect(new X509Certificate(pem).checkHost('localhost')).toBe('localhost')
})

test.each([
  ['linux', {}, '/home/ana/.local/state/shotpress'],
  ['linux', { XDG_STATE_HOME: '/state' }, '/state/shotpress'],
  ['linux', { XDG_STATE_HOME: 'state' }, '/home/ana/.local/state/shotpress'],
  ['darwin', { XDG_STATE_HOME: '/state' }, '/home/ana/Library/Application Support/Shotpress'],
  ['win32', { LOCALAPPDATA: 'C:\\Local' }, 'C:\\Local\\Shotpress'],
] as const)('on %s, with %j, it lies in the user’s own folder', (platform, env, folder) => {
  expect(userFolder(platform, { env, home: '/home/ana' })).toBe(folder)
})
