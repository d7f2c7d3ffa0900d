import { apache } from './apache.ts'
import { caddy } from './caddy.ts'
import { cloudflare } from './cloudflare.ts'
import { cloudflareR2 } from './cloudflare-r2.ts'
import { cloudfront } from './cloudfront.ts'
import { documented } from './documented.ts'
import { fastly } from './fastly.ts'
import { firebase } from './firebase.ts'
import type { Host } from './host.ts'
import { htaccess } from './htaccess.ts'
import { lighttpd } from './lighttpd.ts'
import { netlify } from './netlify.ts'
import { nginx } from './nginx.ts'
import { serve } from './serve.ts'
import { vercel } from './vercel.ts'

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
