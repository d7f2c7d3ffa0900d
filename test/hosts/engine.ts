import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { describe } from 'vitest'
import { createCertificate } from '../../scripts/files/certificate.ts'
import { inCi } from '../posix.ts'

/** A real server, as Debian packages it. */
export type Engine = {
  /** As the host of the same name in the product. */
  readonly name: string
  /** The Debian package to install. */
  readonly debian: string
  readonly binary: string
  /** Further files that must be there, such as a module. */
  readonly needs?: readonly string[]
  /**
   * Whether its checker binds the addresses of the config, which a test may do on 127.0.0.1
   * only.
   */
  readonly bindsToCheck?: boolean
  /**
   * Puts the config under test into the surroundings it is made for; returns the command that
   * serves it.
   */
  readonly prepare: (config: string, place: Place) => Promise<Prepared>
}

export type Place = {
  /** A private folder for pid, logs and temporary files. */
  readonly folder: string
  /** Folder of the snapshot, for configs that only work around it. */
  readonly root?: string | undefined
  readonly ports: readonly number[]
}

export type Prepared = {
  readonly args: readonly string[]
  /** Arguments that check the config only. */
  readonly check: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Whether the engine can run here; in CI it has to. */
export const installed = (engine: Engine) =>
  inCi || [engine.binary, ...(engine.needs ?? [])].every(existsSync)

/** The title of an engine's tests, which says what to install where they are skipped. */
export const titleOf = (engine: Engine) =>
  installed(engine)
    ? engine.name
    : `${engine.name} (skipped: apt-get install ${engine.debian})`

/** Tests of an engine. */
export const describeWith = (engine: Engine, tests: () => void) =>
  describe.skipIf(!installed(engine))(titleOf(engine), tests)

/** A private folder that a server under another user may enter. */
export const temporaryFolder = async () => {
  const folder = await mkdtemp(`${tmpdir()}/shotpress-`)
  await chmod(folder, 0o755)
  return folder
}

/** Starts an engine, waits until its ports answer, does something, and stops it. */
export const running = async <T>(
  engine: Engine,
  config: string,
  {
    ports,
    root,
    address = '127.0.0.1',
  }: Omit<Place, 'folder'> & { readonly address?: string },
  act: () => Promise<T>,
) => {
  const folder = await temporaryFolder()
  const { args, env } = await engine.prepare(config, { folder, ports, root })
  // a file, since some engines can't open a pipe as /dev/stderr
  const log = `${folder}/log`
  const output = openSync(log, 'a')
  const child = spawn(engine.binary, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  try {
    for (const port of ports)
      await answering({ port, host: address }, child).catch((cause) => {
        throw new Error(`${engine.name} did not start: ${readFileSync(log, 'utf8')}`, {
          cause,
        })
      })
    return await act()
  } finally {
    await end(child, folder)
  }
}

/** What the engine's own checker says: `''` is fine. */
export const complaint = async (engine: Engine, config: string, root?: string) => {
  const folder = await temporaryFolder()
  try {
    const { check, env } = await engine.prepare(config, { folder, ports: [], root })
    const { status, stdout, stderr } = spawnSync(engine.binary, check, {
      env: { ...process.env, ...env },
    })
    return status === 0 ? '' : `${stdout}${stderr}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * A self-signed certificate for localhost in the folder, and both in one file as haproxy
 * wants them.
 */
export const makeCertificate = async (folder: string) => {
  const made = createCertificate()
  const write = async (name: string, pem: string) => {
    const file = `${folder}/${name}`
    await writeFile(file, pem)
    await chmod(file, 0o644)
    return file
  }
  return {
    cert: await write('cert.pem', made.cert),
    key: await write('key.pem', made.key),
    both: await write('both.pem', `${made.cert}\n${made.key}`),
  }
}

const answering = async (
  target: { readonly port: number; readonly host: string },
  child: ChildProcess,
) => {
  const deadline = Date.now() + 15_000
  while (child.exitCode === null && child.signalCode === null) {
    const socket = connect(target)
    const up = await new Promise<boolean>((done) => {
      socket.once('connect', () => done(true)).once('error', () => done(false))
    })
    socket.destroy()
    if (up) return
    if (Date.now() > deadline) throw new Error(`nothing answers on port ${target.port}`)
    await new Promise((done) => setTimeout(done, 20))
  }
  throw new Error('the process has ended')
}

const end = async (child: ChildProcess, folder: string) => {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const hard = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await ended
    clearTimeout(hard)
  }
  await rm(folder, { recursive: true, force: true })
}
