import { siteRoutes } from '../../scripts/api/routes.ts'
import type { HostFacts, HostOptions } from '../../scripts/hosts/host.ts'

/** What files in a snapshot depend on, where nothing else is said. */
export const hostFacts = (given: Partial<HostFacts> = {}) => ({
  authority: 'localhost',
  basePath: '',
  precompress: [],
  hasHttp: true,
  siteRoutes,
  usernames: [],
  ...given,
})

/** Options for a config that a test starts; what it is about, it says. */
export const hostOptions = (given: Partial<HostOptions>) => ({
  ...hostFacts(),
  root: '/srv/shots',
  origin: undefined,
  name: 'localhost',
  listen: '127.0.0.1',
  http: 80,
  https: 443,
  cert: '/etc/ssl/shots.pem',
  key: '/etc/ssl/shots.key',
  trust: [],
  ...given,
})
