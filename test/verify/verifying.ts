import { type Addresses, parseAddresses } from '../../scripts/http/addresses.ts'
import { createSender, type Sender } from '../../scripts/http/send.ts'
import type { Cause } from '../../scripts/verify/causes.ts'
import type { Report } from '../../scripts/verify/report.ts'
import { run } from '../../scripts/verify/run.ts'
import { openSnapshot } from '../../scripts/verify/snapshot.ts'

/** Verifies a host on ports of localhost against the snapshot in a folder. */
export const verifyPorts = async (
  ports: { readonly https: number; readonly http: number },
  { folder, basePath = '' }: { readonly folder: string; readonly basePath?: string },
): Promise<Report> => {
  const addresses = parseAddresses(
    [`http://localhost:${ports.http}${basePath}`, `https://localhost:${ports.https}${basePath}`],
    'verify',
  )
  const sender = createSender({ addresses, insecure: true, timeoutMs: 10_000 })
  try {
    return await verifyWith(sender, { addresses, folder })
  } finally {
    sender.close()
  }
}

/** Verifies whatever a sender sends to. */
export const verifyWith = async (
  sender: Sender,
  { addresses, folder }: { readonly addresses: Addresses; readonly folder: string },
): Promise<Report> => {
  const snapshot = await openSnapshot(folder)
  return run({ addresses, snapshot, size: 50, sender, concurrency: 4, onProgress: () => {} })
}

export const causesOf = ({ problems }: Report): readonly Cause[] => problems.map(({ cause }) => cause).sort()
