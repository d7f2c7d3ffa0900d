import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
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

const program = fileURLToPath(new URL('serve-swift.py', import.meta.url))

export const startSwift = async (): Promise<Swift> => {
  const root = fs.mkdtempSync('/var/tmp/shotpress-swift-') // on disk: not every kernel has extended attributes in memory
  const children: ChildProcess[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(end))
    fs.rmSync(root, { recursive: true, force: true })
  }
  try {
    const [cache] = await freePorts(1)
    const user = os.userInfo().username
    const place = ['-l', '127.0.0.1', '-p', String(cache), '-u', user]
    children.push(spawn('/usr/bin/memcached', place, { stdio: 'ignore' }))
    const log = fs.openSync(path.join(root, 'log'), 'w')
    // Debian's packages are for Debian's Python
    const swift = spawn('/usr/bin/python3', [program, root, String(cache)], { stdio: ['pipe', 'pipe', log] })
    fs.closeSync(log)
    children.push(swift)
    const port = await Promise.race([
      once(createInterface(swift.stdout!), 'line').then(String),
      once(swift, 'exit').then(() => undefined),
    ])
    if (port === undefined) throw new Error(fs.readFileSync(path.join(root, 'log'), 'utf8'))
    return { endpoint: `http://127.0.0.1:${port}`, user: 'test:tester', secret: 'testing', stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
