import { type Answer, elements, header } from '../../http/exchange.ts'

/** Hosts that can be recognised by their answers. The first that fits counts, so caches and proxies come first. */
const signs = [
  { name: 'Cloudflare', is: (a: Answer) => has(a, 'CF-Ray') || server(a).includes('cloudflare') },
  { name: 'CloudFront', is: (a: Answer) => has(a, 'X-Amz-Cf-Id') || server(a).includes('cloudfront') },
  { name: 'Vercel', is: (a: Answer) => has(a, 'X-Vercel-Id') || server(a).includes('vercel') },
  { name: 'Netlify', is: (a: Answer) => has(a, 'X-NF-Request-Id') || server(a).includes('netlify') },
  { name: 'GitHub', is: (a: Answer) => server(a).includes('github') },
  { name: 'GitLab', is: (a: Answer) => server(a).includes('gitlab') },
  { name: 'Firebase', is: (a: Answer) => elements(header(a, 'Vary')).includes('x-fh-requested-host') },
  { name: 'Fastly', is: (a: Answer) => has(a, 'X-Served-By') && has(a, 'X-Timer') },
  { name: 'S3', is: (a: Answer) => server(a) === 'amazons3' },
  { name: 'Varnish', is: (a: Answer) => has(a, 'X-Varnish') },
  { name: 'nginx', is: (a: Answer) => server(a).startsWith('nginx') },
  { name: 'Caddy', is: (a: Answer) => server(a).startsWith('caddy') },
  { name: 'Apache', is: (a: Answer) => server(a).startsWith('apache') },
  { name: 'lighttpd', is: (a: Answer) => server(a).startsWith('lighttpd') },
] as const

export type Server = (typeof signs)[number]['name']

/** Which host most likely gave an answer. */
export const recognise = (answer: Answer): Server | undefined => signs.find(({ is }) => is(answer))?.name

const has = (answer: Answer, name: string): boolean => header(answer, name) !== undefined

const server = (answer: Answer): string => (header(answer, 'Server') ?? '').toLowerCase()

/** The name of a host for `npm run host`; `undefined` for what has no config of ours. */
export const hostNameOf = (host: Server): string | undefined =>
  ['GitHub', 'GitLab', 'S3', 'Varnish'].includes(host) ? undefined : host.toLowerCase()
