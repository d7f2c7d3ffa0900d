import { siteRoutes } from '../../scripts/api/routes.ts'
import type { HostOptions, SnapshotFacts } from '../../scripts/hosts/host.ts'

/** Options for a config that a test starts; what it is about, it says. */
export const hostOptions = (given: Partial<HostOptions>): HostOptions => ({
  root: '/srv/shots',
  origin: undefined,
  name: 'localhost',
  listen: '127.0.0.1',
  http: 80,
  https: 443,
  cert: '/etc/ssl/shots.pem',
  key: '/etc/ssl/shots.key',
  trust: [],
  basePath: '',
  precompress: [],
  schemes: ['https', 'http'],
  ...given,
})

/** What files in a snapshot depend on, where nothing else is said. */
export const snapshotFacts = (given: Partial<SnapshotFacts> = {}): SnapshotFacts => ({
  authority: 'localhost',
  basePath: '',
  precompress: [],
  schemes: ['https', 'http'],
  siteRoutes,
  usernames: [],
  ...given,
})
