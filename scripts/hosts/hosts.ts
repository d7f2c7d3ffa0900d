import type { Host } from './config/host.ts'
import { cloudflare } from './managed/cloudflare.ts'
import { cloudflareR2 } from './managed/cloudflare-r2.ts'
import { cloudfront } from './managed/cloudfront.ts'
import { documented } from './managed/documented.ts'
import { fastly } from './managed/fastly.ts'
import { firebase } from './managed/firebase.ts'
import { netlify } from './managed/netlify.ts'
import { serve } from './managed/serve.ts'
import { vercel } from './managed/vercel.ts'
import { apache } from './servers/apache.ts'
import { caddy } from './servers/caddy.ts'
import { htaccess } from './servers/htaccess.ts'
import { lighttpd } from './servers/lighttpd.ts'
import { nginx } from './servers/nginx.ts'

/** Every host that the project knows, in the order in which they are listed. */
export const hosts: readonly Host[] = [
  nginx,
  caddy,
  apache,
  htaccess,
  lighttpd,
  cloudflare,
  cloudflareR2,
  cloudfront,
  fastly,
  netlify,
  firebase,
  vercel,
  serve,
  ...documented,
]

export const hostNames: readonly string[] = hosts.map((host) => host.name)
