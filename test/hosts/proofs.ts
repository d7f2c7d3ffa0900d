import { apache, htaccess } from '../../scripts/hosts/apache.ts'
import { caddy } from '../../scripts/hosts/caddy.ts'
import { cloudflare, cloudflareR2 } from '../../scripts/hosts/cloudflare.ts'
import { cloudfront } from '../../scripts/hosts/cloudfront.ts'
import { fastly } from '../../scripts/hosts/fastly.ts'
import { firebase } from '../../scripts/hosts/firebase.ts'
import type { Host } from '../../scripts/hosts/host.ts'
import { lighttpd } from '../../scripts/hosts/lighttpd.ts'
import { netlify } from '../../scripts/hosts/netlify.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { serve } from '../../scripts/hosts/serve.ts'
import { vercel } from '../../scripts/hosts/vercel.ts'

// Which tests have what a host reads looked at by somebody else. They take their hosts from
// here, and each of them says that it has all of its own: so what `npx shotpress host` says
// of a host can't be more than what was done.

/** Run by servers.slow.test.ts, on the real engines. */
export const served = { nginx, caddy, apache, lighttpd, htaccess } as const
/** Run by cloudflare.slow.test.ts, in the runtime itself. */
export const run = { cloudflare, cloudflareR2 } as const
/** Followed by emulated.test.ts, with the hosts' own parsers. */
export const emulated = { serve, firebase, netlify, vercel, cloudfront } as const
/** Read by fastly.test.ts, by the linter. */
export const linted = { fastly } as const

const named = (
  hosts: Readonly<Record<string, Host>>,
  support: NonNullable<Host['support']>,
) => Object.values(hosts).map(({ name }) => [name, support] as const)

/** What was done with the files of a host, by its name. */
export const proofs = new Map([
  ...named({ ...served, ...run }, 'proved'),
  ...named({ ...emulated, ...linted }, 'generated'),
])
