import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Variant } from '../api/routes.ts'
import { UserError } from '../diagnostics/user-error.ts'
import { address, portInUse } from './ports.ts'
import type { Root } from './roots.ts'

/** A `serve` process. */
export type Server = {
  /** Settled when it listens; rejected if it ends before that. */
  readonly ready: Promise<void>
  /** Ends it; settled when it is gone. */
  readonly stop: () => Promise<void>
}

export type ServerOptions = {
  readonly scheme: Variant
  readonly port: number
  readonly root: Root
  /** A certificate and its key; for https only. */
  readonly pem: string
  /** It listened, and has ended by itself. */
  readonly onDeath: (error: UserError) => void
}

/** Starts `serve` for one scheme, in a process group of its own: a Ctrl-C is for the preview to hear, not for it. */
export const startServer = (options: ServerOptions): Server => {
  const { scheme, port, root, pem } = options
  const secure = scheme === 'https' ? ['--ssl-cert', pem, '--ssl-key', pem] : []
  const child = spawn(
    process.execPath,
    [
      program,
      '--listen',
      `tcp://${address}:${port}`,
      '--config',
      root.config,
      ...flags,
      ...secure,
      root.folder,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
      windowsHide: true,
      env: { ...process.env, NO_UPDATE_CHECK: '1' },
    },
  )
  let [said, complaint, stopping] = ['', '', false]
  let onEnd = options.onDeath
  const gone = new Promise<void>((resolve) => {
    const end = (how: string) => {
      if (!stopping) onEnd(deathOf(scheme, how, complaint))
      resolve()
    }
    child.once('exit', (code, signal) => end(signal === null ? `status ${code}` : signal))
    child.once('error', ({ message }) => end(message))
  })
  const stop = (): Promise<void> => {
    stopping = true
    child.kill('SIGKILL') // it has nothing to save, and would wait for its visitors to leave
    return gone
  }
  const ready = new Promise<void>((resolve, reject) => {
    onEnd = reject
    child.stdout!.on('data', (data: Buffer) => {
      said = `${said}${data}`.slice(-1000)
      const heard = /Accepting connections at \S+:(\d+)\s/.exec(said)
      if (heard === null) return
      onEnd = options.onDeath
      if (Number(heard[1]) === port) resolve()
      // serve 14 takes any other port when its own is taken, in spite of --no-port-switching
      else stop().then(() => reject(portInUse(scheme, port)))
    })
  })
  child.stderr!.on('data', (data: Buffer) => {
    complaint = `${complaint}${data}`.slice(0, 1000)
  })
  return { ready, stop }
}

const program = fileURLToPath(new URL('./serve-while-connected.mjs', import.meta.url))

const flags = ['--no-clipboard', '--no-request-logging', '--no-port-switching', '--no-compression']

const deathOf = (scheme: Variant, how: string, complaint: string): UserError => {
  const lines = complaint.trim().split('\n')
  return new UserError(`the ${scheme} server ended by itself (${how})`, {
    hint: (lines.find((line) => line.includes('Error')) ?? lines[0]) || 'start the preview again',
  })
}
