import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { freePorts } from '../ports.ts'

/** OpenStack Swift with its S3 interface, on one machine: it checks signatures, as the stores of large clouds do. */
export type Swift = {
  /** `http://127.0.0.1:8080`. */
  readonly endpoint: string
  readonly user: string
  readonly secret: string
  readonly stop: () => Promise<void>
}

export const hasSwift = (): boolean =>
  ['swift-proxy-server', 'swift-object-server', 'memcached'].every((name) =>
    fs.existsSync(`/usr/bin/${name}`),
  )

const kinds = ['account', 'container', 'object'] as const
const credentials = { user: 'test:tester', secret: 'testing' }

export const startSwift = async (): Promise<Swift> => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-swift-'))
  const children: ChildProcess[] = []
  const run = (program: string, args: readonly string[]): void => {
    const log = fs.openSync(path.join(root, `${path.basename(program)}.log`), 'w')
    children.push(spawn(program, args, { stdio: ['ignore', log, log] }))
    fs.closeSync(log)
  }
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(end))
    fs.rmSync(root, { recursive: true, force: true })
  }
  try {
    const [proxy, memcached, ...ports] = await freePorts(2 + kinds.length)
    fs.mkdirSync(path.join(root, 'devices/one'), { recursive: true })
    kinds.forEach((kind, at) => {
      const ring = path.join(root, `${kind}.builder`)
      for (const args of [
        ['create', '6', '1', '0'],
        ['add', `r1z1-127.0.0.1:${ports[at]}/one`, '1'],
        ['rebalance'],
      ]) {
        execFileSync('/usr/bin/swift-ring-builder', [ring, ...args], { stdio: 'ignore' })
      }
      fs.writeFileSync(path.join(root, `${kind}.conf`), storageConf(root, { kind, port: ports[at]! }))
      run(`/usr/bin/swift-${kind}-server`, [path.join(root, `${kind}.conf`)])
    })
    fs.writeFileSync(path.join(root, 'proxy.conf'), proxyConf(root, { port: proxy!, memcached: memcached! }))
    run('/usr/bin/memcached', [
      '-l',
      '127.0.0.1',
      '-p',
      String(memcached),
      '-m',
      '64',
      '-u',
      os.userInfo().username,
    ])
    run('/usr/bin/swift-proxy-server', [path.join(root, 'proxy.conf')])
    for (const port of [...ports, memcached!, proxy!]) await listening(port)
    return { endpoint: `http://127.0.0.1:${proxy}`, ...credentials, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const common = (root: string, port: number): string => `
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${os.userInfo().username}
swift_dir = ${root}
devices = ${root}/devices
mount_check = false
log_level = WARNING
`

const storageConf = (
  root: string,
  { kind, port }: { readonly kind: (typeof kinds)[number]; readonly port: number },
): string => `${common(root, port)}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`

const proxyConf = (
  root: string,
  { port, memcached }: { readonly port: number; readonly memcached: number },
): string => `${common(root, port)}
[pipeline:main]
pipeline = catch_errors proxy-logging cache s3api tempauth copy dlo slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:proxy-logging]
use = egg:swift#proxy_logging
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${credentials.secret} .admin
[filter:copy]
use = egg:swift#copy
[filter:dlo]
use = egg:swift#dlo
[filter:slo]
use = egg:swift#slo
`

const listening = async (port: number): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (open) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`nothing listens on port ${port}`)
}

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
