import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { inCi } from '../posix.ts'
import { sandbox } from '../sandbox.ts'

/** Whether there is the program that signs; in CI it has to be there. */
export const canSign = inCi || fs.existsSync('/usr/bin/ssh-keygen')
export const needsSigner = canSign ? '' : ' (skipped: apt-get install openssh-client)'

/** A secret key that signs files where they lie, or a text, and the file of its public half. */
export type Signer = {
  readonly publicKey: string
  readonly sign: (file: string) => void
  /** The signature of a text. */
  readonly signText: (text: string) => Buffer
}

export const makeSigner = ({ type = 'ed25519', namespace = 'shotpress' } = {}): Signer => {
  const secret = `${sandbox({})}/id`
  const run = (...args: readonly string[]) =>
    execFileSync('ssh-keygen', args, { stdio: 'pipe' })
  run('-t', type, '-N', '', '-q', '-C', 'publisher@example.com', '-f', secret)
  const sign = (file: string) => {
    fs.rmSync(`${file}.sig`, { force: true })
    run('-Y', 'sign', '-n', namespace, '-f', secret, file)
  }
  return {
    publicKey: `${secret}.pub`,
    sign,
    signText: (text) => {
      const file = `${sandbox({ text })}/text`
      sign(file)
      return fs.readFileSync(`${file}.sig`)
    },
  }
}

/** The timestamp of so many hours ago, as `published.json` has it. */
export const hoursAgo = (hours: number) =>
  new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
