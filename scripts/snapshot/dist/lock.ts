import { createHash } from 'node:crypto'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { UserError } from '../../diagnostics/user-error.ts'
import { remove } from '../../files/remove.ts'

/**
 * Keeps other builds out of a snapshot's folder until the returned function is called or the process ends, however
 * it ends: the lock is a local socket, which the kernel gives to one process only and takes back by itself. It holds
 * among the processes of one machine (or one container).
 */
export const lock = async (folder: string, options: { readonly onWait: () => void }): Promise<() => void> => {
  const deadline = Date.now() + patience
  for (let waiting = false; ; waiting = true) {
    const server = await listen(socketName(folder))
    if (server !== undefined) return () => server.close()
    if (Date.now() > deadline) {
      throw new UserError(`another build has been writing ${folder} for ten minutes`, {
        hint: 'wait for it or stop it, then run again',
      })
    }
    if (!waiting) options.onWait()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The lock if nobody has it, without waiting. */
export const tryLock = async (folder: string): Promise<(() => void) | undefined> => {
  const server = await listen(socketName(folder))
  return server && (() => server.close())
}

/** Milliseconds. */
const patience = 600_000

const listen = (name: string): Promise<net.Server | undefined> =>
  new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy())
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') reject(error)
      else if (name.startsWith('/')) removeIfDead(name, () => resolve(undefined))
      else resolve(undefined)
    })
    server.listen(name, () => resolve(server.unref()))
  })

/** Linux and Windows have socket names that live without a file. Elsewhere a file can outlive a killed process. */
const socketName = (folder: string): string => {
  const name = `shotpress-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`
  if (process.platform === 'linux') return `\0${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `${os.tmpdir()}/${name}.sock`
}

const removeIfDead = (file: string, done: () => void): void => {
  const socket = net.connect(file, () => {
    socket.destroy()
    done()
  })
  socket.on('error', () => {
    remove(path.dirname(file), path.basename(file))
    done()
  })
}
