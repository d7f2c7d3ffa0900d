import path from 'node:path'
import { type Deployed, type DeployOptions, deploy } from '../../scripts/deploy/deploy.ts'
import { inSession, type Session } from '../../scripts/deploy/session.ts'
import type { Store } from '../../scripts/deploy/store.ts'

/** Deploys a snapshot to a store. */
export const publish = (out: string, store: Store, options: Partial<DeployOptions> = {}): Promise<Deployed> =>
  inSession(out, (session) => publishTo(session, store, options), { onWait: () => {} })

/** The same in a session that is open. */
export const publishTo = (
  session: Session,
  store: Store,
  options: Partial<DeployOptions> = {},
): Promise<Deployed> =>
  deploy({
    ...session,
    name: path.basename(session.out),
    store,
    dryRun: false,
    allowRemoval: false,
    onPlan: () => {},
    onProgress: () => {},
    ...options,
  })
