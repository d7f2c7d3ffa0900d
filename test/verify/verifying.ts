import { run } from '../../scripts/verify/run.ts'
import { openSnapshot } from '../../scripts/verify/snapshot.ts'
import type { Cause } from '../../scripts/verify/tell/causes.ts'
import type { Report } from '../../scripts/verify/tell/report.ts'
import { createSender, type Sender } from '../../scripts/wire/send.ts'
import { parseTarget, type Target } from '../../scripts/wire/target.ts'

/** Verifies a host on ports of localhost against the snapshot in a folder. */
export const verifyPorts = async (
  ports: { readonly https: number; readonly http: number },
  { folder, basePath = '' }: { readonly folder: string; readonly basePath?: string },
): Promise<Report> => {
  const target = parseTarget(
    [`http://localhost:${ports.http}${basePath}`, `https://localhost:${ports.https}${basePath}`],
    'verify',
  )
  const sender = createSender({ target, insecure: true, timeoutMs: 10_000 })
  try {
    return await verifyWith(sender, { target, folder })
  } finally {
    sender.close()
  }
}

/** Verifies whatever a sender sends to. */
export const verifyWith = async (
  sender: Sender,
  { target, folder }: { readonly target: Target; readonly folder: string },
): Promise<Report> => {
  const snapshot = await openSnapshot(folder)
  return run({ target, snapshot, size: 50, sender, concurrency: 4, onProgress: () => {} })
}

export const causesOf = ({ problems }: Report): readonly Cause[] => problems.map(({ cause }) => cause).sort()
