import type { HostOptions } from '../../../scripts/hosts/config/host.ts'

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
  ...given,
})
