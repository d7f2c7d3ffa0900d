import { rm } from 'node:fs/promises'
import { afterAll, beforeAll } from 'vitest'
import { makeCertificate, temporaryFolder } from '../hosts/engine.ts'
import { startShotpress } from '../processes.ts'
import { type Handler, type Running, startReference } from '../verify/reference-host.ts'
import { type Legacy, legacyMember, shotsOf } from './legacy.ts'

let host: Running
let certificates: string

/** Starts a remote for the tests of a file. */
export const serveRemote = (): void => {
  beforeAll(async () => {
    certificates = await temporaryFolder()
    host = await startReference(await makeCertificate(certificates))
  })
  afterAll(async () => {
    await host.stop()
    await rm(certificates, { recursive: true, force: true })
  })
}

/** Runs the command against a handler; `killAt` kills it when the server was asked so many times. */
export const run = (
  handler: Handler,
  args: readonly string[],
  { cwd, killAt, stdin = '' }: { readonly cwd: string; readonly killAt?: number; readonly stdin?: string },
) => {
  let asked = 0
  const { child, ended } = importing([...urls(), '--insecure', ...args], { cwd, stdin })
  host.use((request) => {
    if (asked++ === killAt) child.kill('SIGKILL')
    return handler(request)
  })
  return ended
}

export const importing = (
  args: readonly string[],
  place: { readonly cwd: string; readonly stdin?: string },
) => startShotpress(['import', ...args], { ...place, env: { NO_COLOR: '1' } })

export const urls = () => [`https://localhost:${host.ports.https}`, `http://localhost:${host.ports.http}`]

export const members: Legacy = {
  ana: legacyMember('ana', 1, { shots: shotsOf(1, [11, 12]) }),
  bo: legacyMember('bo', 2, { shots: shotsOf(2, [21]) }),
}
