import { createHash } from 'node:crypto'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { remove } from '../../files/remove.ts'
import { UserError } from '../../problems/user-error.ts'
import { type Attempt, holdByFolder } from './lock-folder.ts'

/**
 * Keeps other builds out of a snapshot's folder until the returned function is called or the process ends, however
 * it ends: the lock is a local socket, which the system takes back by itself. It holds among the processes of one
 * machine.
 */
export const lock = async (folder: string, options: { readonly onWait: () => void }): Promise<() => void> => {
  const deadline = Date.now() + patience
  for (let waiting = false; ; waiting = true) {
    const held = await hold(folder)
    if (typeof held === 'function') return held
    if (Date.now() > deadline) {
      throw new UserError(`another build has been writing ${folder} for ten minutes`, {
        hint: 'wait for it or stop it, then run again',
      })
    }
    if (!waiting) options.onWait()
    // two that found each other try again at different times
    await new Promise((resolve) => setTimeout(resolve, 25 + Math.random() * 50))
  }
}

/** Milliseconds. */
const patience = 600_000

const hold = async (folder: string): Promise<Attempt> => {
  const held = process.platform === 'win32' ? 'unable' : await holdByFolder(folder)
  return held === 'unable' ? holdByName(socketName(folder)) : held
}

/** On Windows, and where no socket can be made in a folder: such as one that is shared with a virtual machine's host. */
const holdByName = (name: string): Promise<Attempt> =>
  new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy())
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') reject(error)
      else if (name.startsWith('/')) removeIfDead(name, () => resolve('taken'))
      else resolve('taken')
    })
    server.listen(name, () => {
      server.unref()
      resolve(() => server.close())
    })
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
