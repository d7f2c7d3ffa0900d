import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { lock } from '../../scripts/snapshot/dist/lock.ts'
import { isPosix, onPosix } from '../posix.ts'
import { sandbox } from '../sandbox.ts'
import { site } from '../site.ts'
import { buildIn } from './building.ts'

/** How many processes take the lock and are killed; LOCKS=200 for the full measure. */
const processes = Number(process.env.LOCKS ?? 6)

vi.setConfig({ testTimeout: 60_000 + processes * 5_000 })

const listen = async (name: string): Promise<net.Server> => {
  const server = net.createServer((socket) => socket.destroy())
  server.listen(name)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return server
}

const hold = (out: string): Promise<() => void> =>
  lock(out, {
    onWait: () => {
      throw new Error('it waits')
    },
  })

it('never do two processes hold it, and none waits for a dead one', async () => {
  const folder = sandbox()
  const log = path.join(folder, 'log')
  const script = fileURLToPath(new URL('hold-lock.mts', import.meta.url))
  const run = async (): Promise<void> => {
    const words = ['--import', 'tsx', script, path.join(folder, 'dist'), log, '30', '20']
    await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'close')
  }
  for (let done = 0; done < processes; done += 6) await Promise.all(Array.from({ length: 6 }, run))
  let holder = ''
  const [seen, killed] = [new Set<string>(), new Set<string>()]
  for (const line of fs.readFileSync(log, 'utf8').trim().split('\n')) {
    const [name, does] = line.split(' ') as [string, string]
    if (does === 'leaves') expect(name, line).toBe(holder)
    // one that was killed while it held the lock says no more
    else if (holder !== '') killed.add(holder)
    expect(killed.has(name), line).toBe(false)
    seen.add(name)
    holder = does === 'holds' ? name : ''
  }
  expect(seen.size).toBe(Math.ceil(processes / 6) * 6)
  ;(await hold(path.join(folder, 'dist')))()
  expect(fs.readdirSync(folder)).toEqual(['log'])
})

it.runIf(isPosix)(onPosix('what others can make doesn’t hold it'), async () => {
  const folder = sandbox(site)
  const out = path.join(folder, 'dist')
  if (process.platform === 'linux') {
    const digest = createHash('sha256').update(out).digest('hex').slice(0, 32)
    await listen(`\0shotpress-${digest}`)
  }
  await listen(path.join(folder, 'alive'))
  fs.mkdirSync(path.join(folder, '.shotpress/dist/lock/folder'), { recursive: true })
  fs.symlinkSync('../../../alive', path.join(folder, '.shotpress/dist/lock/0123456789abcdef'))
  fs.writeFileSync(path.join(folder, '.shotpress/dist/lock/file'), '')
  ;(await hold(out))()
  expect(fs.readdirSync(folder).sort()).toEqual(['alive', 'content'])
})

/** A socket as a process leaves it that is killed. */
const leaveDead = async (file: string): Promise<void> => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const server = await listen(`${file}.new`)
  fs.renameSync(`${file}.new`, file)
  server.close()
}

/** A folder of another user, in which nothing can be made or removed. */
const refuse = (folder: string, ...calls: readonly ('mkdirSync' | 'rmdirSync' | 'rmSync')[]): void => {
  for (const call of calls) {
    const real = fs[call] as (file: fs.PathLike, ...rest: unknown[]) => unknown
    const refusing = (file: fs.PathLike, ...rest: unknown[]): unknown => {
      if (!String(file).startsWith(folder)) return real(file, ...rest)
      throw Object.assign(new Error(`EACCES: permission denied, ${call}`), { code: 'EACCES' })
    }
    const spy = vi.spyOn(fs, call).mockImplementation(refusing as never)
    onTestFinished(() => spy.mockRestore())
  }
}

it.runIf(isPosix)(onPosix('another user’s folder, and what died in it, keep nobody waiting'), async () => {
  const folder = sandbox()
  const own = path.join(folder, '.shotpress/dist')
  await leaveDead(path.join(own, 'lock/0123456789abcdef'))
  refuse(own, 'mkdirSync', 'rmdirSync', 'rmSync')
  ;(await hold(path.join(folder, 'dist')))()
})

it.each(['.shotpress', '.shotpress/dist', '.shotpress/dist/lock'])(
  'is left although %s is another thing by now',
  async (name) => {
    const folder = sandbox()
    const exits = process.listenerCount('exit')
    for (const replace of [
      (at: string) => fs.writeFileSync(at, ''),
      (at: string) => fs.symlinkSync(path.join(folder, 'elsewhere'), at, 'junction'),
    ]) {
      const unlock = await hold(path.join(folder, 'dist'))
      fs.mkdirSync(path.join(folder, 'elsewhere/dist/lock'), { recursive: true })
      fs.rmSync(path.join(folder, name), { recursive: true, force: true })
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      replace(path.join(folder, name))
      unlock()
      expect(process.listenerCount('exit')).toBe(exits)
      expect(fs.existsSync(path.join(folder, 'elsewhere/dist/lock'))).toBe(true)
      fs.rmSync(path.join(folder, '.shotpress'), { recursive: true })
    }
  },
)

it.runIf(isPosix)(onPosix('every user can tell whether it is held'), async () => {
  const folder = sandbox()
  const unlock = await hold(path.join(folder, 'dist'))
  const inside = path.join(folder, '.shotpress/dist/lock')
  const [name] = fs.readdirSync(inside)
  expect(fs.statSync(path.join(inside, name!)).mode & 0o222).toBe(0o222)
  unlock()
})

it('is left where no file is, and leaves nothing', async () => {
  const folder = sandbox({ 'content/site.yaml': 'base_url: nowhere\n' })
  const out = path.join(folder, 'some', 'folder', 'x'.repeat(150), 'dist')
  const { diagnostics } = await buildIn(folder, { out })
  expect(diagnostics).not.toEqual([])
  expect(fs.readdirSync(folder)).toEqual(['content'])
})

it('builds with their state at different places wait for each other', async () => {
  const folder = sandbox(site)
  const unlock = await hold(path.join(folder, 'dist'))
  const waiting = vi.fn()
  const states = [undefined, path.join(folder, 'one'), path.join(folder, 'other')]
  const builds = states.map((state) => buildIn(folder, { state, onWait: waiting }))
  await vi.waitFor(() => expect(waiting).toHaveBeenCalledTimes(3), 30_000)
  expect(fs.existsSync(path.join(folder, 'dist'))).toBe(false)
  unlock()
  const results = await Promise.all(builds)
  expect(results.map(({ written }) => written).sort((a, b) => a - b)).toEqual([0, 0, 11])
})
