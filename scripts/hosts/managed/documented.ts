import type { Host } from '../config/host.ts'

/** Hosts that are described in docs/hosting/managed.md, without a config of ours: nothing here could be tested. */
export const documented: readonly Host[] = [
  {
    name: 'github-pages',
    title: 'GitHub Pages',
    support: 'documented',
    can: ['200 for paths with a slash at the end, as text that parses as JSON', 'ETag and 304'],
    cannot: [
      'answer without a redirect: a path without a slash gets 301',
      'choose by scheme: both get the https variant',
      'send the headers of the contract or a JSON 404, or hide files',
    ],
  },
  {
    name: 'gitlab-pages',
    title: 'GitLab Pages',
    support: 'documented',
    can: ['200 without redirects, by rewrite rules in _redirects', 'ETag and 304'],
    cannot: [
      'choose by scheme: both get the https variant',
      'send the headers of the contract or a JSON 404, or hide files',
    ],
    limits: { files: 200_000 },
  },
  {
    name: 's3-website',
    title: 'Amazon S3 website endpoint',
    support: 'documented',
    can: ['the http variant, for paths with a slash at the end', 'a JSON 404 as the error document'],
    cannot: [
      'answer over https',
      'answer without a redirect: a path without a slash gets 302',
      'answer OPTIONS or refuse methods as the contract says',
    ],
  },
  {
    name: 'google-cloud',
    title: 'Google Cloud load balancer with Cloud Storage',
    support: 'documented',
    can: [
      'both schemes, with a URL map and a bucket for each',
      'the JSON 404 by a custom error response policy',
      'the headers of the contract by object metadata and custom response headers',
      'ETag and 304',
    ],
    cannot: [
      'refuse methods with the JSON 405',
      'answer every OPTIONS: preflights only, by the CORS rules of the bucket',
    ],
  },
  {
    name: 'azure-front-door',
    title: 'Azure Front Door with Blob storage',
    support: 'documented',
    can: [
      'both schemes, chosen by a request protocol condition before the cache',
      'ETag and 304',
      'headers by rules',
    ],
    cannot: [
      'send the JSON bodies of 404 and 405',
      'answer OPTIONS outside the CORS rules of the storage account',
    ],
  },
  {
    name: 'bunny',
    title: 'bunny.net',
    support: 'documented',
    can: [
      'both schemes and all of the contract, with a middleware script written for it',
      'headers by edge rules',
    ],
    cannot: ['choose by scheme, path and status at once with edge rules alone'],
  },
  {
    name: 'render',
    title: 'Render static sites',
    support: 'documented',
    can: ['the https variant by rewrite rules', 'headers by path'],
    cannot: [
      'answer plain http: it is redirected to https',
      'send a JSON 404 or 405, or answer OPTIONS',
      'hide files',
    ],
  },
  {
    name: 'azure-static-web-apps',
    title: 'Azure Static Web Apps',
    support: 'impossible',
    can: [],
    cannot: [
      'serve any path below /api: it is reserved for functions, so static files there are never served',
    ],
  },
]
