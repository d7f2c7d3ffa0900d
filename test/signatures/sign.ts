import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { inCi } from '../posix.ts'
import { sandbox } from '../sandbox.ts'

/** The programs that sign; in CI both have to be there. */
export const canSign = inCi || ['minisign', 'ssh-keygen'].every((name) => fs.existsSync(`/usr/bin/${name}`))
export const needsSigners = canSign ? '' : ' (skipped: apt-get install minisign openssh-client)'

/** A secret key that signs files where they lie, and the file of its public half. */
export type Signer = { readonly publicKey: string; readonly sign: (file: string) => void }

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { input: '', encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] })

export const makeMinisigner = (flags: readonly string[] = []): Signer => {
  const folder = sandbox({})
  const [secret, publicKey] = [path.join(folder, 'minisign.key'), path.join(folder, 'minisign.pub')]
  run('minisign', ['-G', '-W', '-f', '-s', secret, '-p', publicKey])
  return { publicKey, sign: (file) => void run('minisign', ['-S', ...flags, '-s', secret, '-m', file]) }
}

export const makeSshSigner = (
  kind: readonly string[] = ['-t', 'ed25519'],
  {
    namespace = 'file',
    flags = [],
  }: { readonly namespace?: string; readonly flags?: readonly string[] } = {},
): Signer => {
  const secret = path.join(sandbox({}), 'id')
  run('ssh-keygen', [...kind, '-N', '', '-q', '-C', 'publisher@example.com', '-f', secret])
  return {
    publicKey: `${secret}.pub`,
    sign: (file) => {
      fs.rmSync(`${file}.sig`, { force: true })
      run('ssh-keygen', ['-Y', 'sign', ...flags, '-n', namespace, '-f', secret, file])
    },
  }
}

/** Whether the program itself takes the signature for one of the key. */
export const acceptedBy = {
  minisign: (file: string, publicKey: string): boolean =>
    succeeds('minisign', ['-V', '-p', publicKey, '-m', file]),
  'ssh-keygen': (file: string, publicKey: string): boolean => {
    const allowed = path.join(sandbox({}), 'allowed')
    fs.writeFileSync(allowed, `publisher@example.com ${fs.readFileSync(publicKey, 'utf8')}`)
    const flags = ['-f', allowed, '-I', 'publisher@example.com', '-n', 'file', '-s', `${file}.sig`]
    return succeeds('ssh-keygen', ['-Y', 'verify', ...flags], fs.readFileSync(file))
  },
} as const

const succeeds = (program: string, args: readonly string[], input: string | Buffer = ''): boolean => {
  try {
    execFileSync(program, args, { input, stdio: ['pipe', 'ignore', 'ignore'] })
    return true
  } catch {
    return false
  }
}
