import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePorts } from '../ports.ts'
import { inCi } from '../posix.ts'
import { runIn, until } from '../processes.ts'
import { readText, readTree, sandbox } from '../sandbox.ts'
import { siteWith } from '../site.ts'

/** A real server of OpenSSH, and rclone; in CI they have to be there. */
const daemon = '/usr/sbin/sshd'
const canRun = inCi || (fs.existsSync(daemon) && fs.existsSync('/usr/bin/rclone'))
const title = canRun
  ? 'a server over SFTP'
  : 'a server over SFTP (skipped: apt-get install openssh-server rclone)'

/**
 * Starts a server on this machine; gives what it logged, and the settings of rclone for the
 * remote `server:`.
 */
const startServer = async () => {
  const folder = sandbox()
  const file = (name: string) => `${folder}/${name}`
  for (const key of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(key)])
  const [port] = await freePorts()
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('user.pub')}`,
    `PidFile ${file('pid')}`,
    'StrictModes no',
    'UsePAM no',
    'LogLevel VERBOSE',
    'Subsystem sftp internal-sftp',
  ]
  fs.writeFileSync(file('config'), config.map((line) => `${line}\n`).join(''))
  if (process.getuid?.() === 0) fs.mkdirSync('/run/sshd', { recursive: true })
  const child = spawn(daemon, ['-D', '-f', file('config'), '-E', file('log')], {
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  const log = () => (fs.existsSync(file('log')) ? readText(file('log')) : '')
  await until(log, (text) => text.includes('Server listening'))
  const env = {
    RCLONE_CONFIG_SERVER_TYPE: 'sftp',
    RCLONE_CONFIG_SERVER_HOST: '127.0.0.1',
    RCLONE_CONFIG_SERVER_PORT: String(port),
    RCLONE_CONFIG_SERVER_USER: process.env.USER ?? 'root',
    RCLONE_CONFIG_SERVER_KEY_FILE: file('user'),
  }
  return { log, env, target: file('published') }
}

describe.skipIf(!canRun)(title, () => {
  test('takes a site in a few connections and without a command for each file', async () => {
    const { log, env, target } = await startServer()
    const site = sandbox(siteWith(150))
    expect(runIn(site, 'build')).toMatchObject({ status: 0 })
    expect(runIn(site, `deploy server:${target}`, { env })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^602 files .* uploaded/),
    })
    expect(readTree(target)).toEqual(readTree(site, 'dist'))
    expect(log().match(/Starting session: subsystem 'sftp'/g)!.length).toBeLessThan(80)
    expect((log().match(/Starting session: command/g) ?? []).length).toBeLessThan(10)
  })
})
