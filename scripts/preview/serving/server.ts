import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../problems/user-error.ts'
import { address } from './ports.ts'
import type { Root } from './roots.ts'

/** A `serve` process that answers only to this process. */
export type Server = {
  /** The port that it listens on, once it does; rejected if it ends before that. */
  readonly ready: Promise<number>
  /** Ends it; settled when it is gone. */
  readonly stop: () => Promise<void>
}

export type ServerOptions = {
  readonly root: Root
  /** The value that a request must have in {@link keyHeader}. */
  readonly key: string
  /** It listened, and has ended by itself. */
  readonly onDeath: (error: UserError) => void
}

export const keyHeader = 'preview-key'

/** Starts `serve` on a free port, in a process group of its own: a Ctrl-C is for the preview to hear, not for it. */
export const startServer = ({ root, key, onDeath }: ServerOptions): Server => {
  const child = spawn(
    process.execPath,
    [program, '--listen', `tcp://${address}:0`, '--config', root.config, ...flags, root.folder],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
      windowsHide: true,
      env: { ...process.env, NO_UPDATE_CHECK: '1', PREVIEW_KEY: key },
    },
  )
  let [said, complaint, stopping] = ['', '', false]
  let onEnd = onDeath
  const gone = new Promise<void>((resolve) => {
    const end = (how: string) => {
      if (!stopping) onEnd(deathOf(how, complaint))
      resolve()
    }
    child.once('exit', (code, signal) => end(signal === null ? `status ${code}` : signal))
    child.once('error', ({ message }) => end(message))
  })
  const stop = (): Promise<void> => {
    stopping = true
    child.kill('SIGKILL') // it has nothing to save, and would wait for open connections
    return gone
  }
  const ready = new Promise<number>((resolve, reject) => {
    onEnd = reject
    child.stdout!.on('data', (data: Buffer) => {
      said = `${said}${data}`.slice(-1000)
      const heard = /Accepting connections at \S+:(\d+)\s/.exec(said)
      if (heard === null) return
      onEnd = onDeath
      resolve(Number(heard[1]))
    })
  })
  child.stderr!.on('data', (data: Buffer) => {
    complaint = `${complaint}${data}`.slice(0, 1000)
  })
  return { ready, stop }
}

const program = fileURLToPath(new URL('./serve-while-connected.mjs', import.meta.url))

const flags = ['--no-clipboard', '--no-request-logging', '--no-compression', '--no-etag']

const deathOf = (how: string, complaint: string): UserError => {
  const lines = complaint.trim().split('\n')
  return new UserError(`the server of the snapshot ended by itself (${how})`, {
    hint: (lines.find((line) => line.includes('Error')) ?? lines[0]) || 'start the preview again',
  })
}
