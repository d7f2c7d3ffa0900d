import { parseAddresses } from '../../scripts/http/addresses.ts'
import { createSender, type Sender } from '../../scripts/http/exchange.ts'
import type { Cause } from '../../scripts/verify/causes.ts'
import type { Report } from '../../scripts/verify/report.ts'
import { type RunOptions, run } from '../../scripts/verify/run.ts'
import { openSnapshot } from '../../scripts/verify/snapshot.ts'
import { addresses } from './in-process.ts'

/** Verifies a host on ports of localhost against the snapshot in a folder. */
export const verifyPorts = async (
  ports: { readonly https: number; readonly http: number },
  { folder, basePath = '' }: { readonly folder: string; readonly basePath?: string },
): Promise<Report> => {
  const urls = [
    `http://localhost:${ports.http}${basePath}`,
    `https://localhost:${ports.https}${basePath}`,
  ]
  const addresses = parseAddresses(urls, 'verify')
  const sender = createSender({ addresses, insecure: true, timeoutMs: 10_000 })
  try {
    return await verifyWith(sender, folder, { addresses })
  } finally {
    sender.close()
  }
}

/** Verifies whatever a sender sends to. */
export const verifyWith = async (
  sender: Sender,
  folder: string,
  more: Partial<RunOptions> = {},
): Promise<Report> =>
  run({
    addresses,
    snapshot: openSnapshot(folder),
    size: 50,
    now: Date.now(),
    sender,
    concurrency: 4,
    onProgress: () => {},
    ...more,
  })

export const causesOf = ({ problems }: Report): readonly Cause[] =>
  problems.map(({ cause }) => cause).sort()
