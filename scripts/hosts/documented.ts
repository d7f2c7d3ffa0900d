import { abilities, type Host } from './host.ts'

/** Hosts that are described in docs/hosting/managed.md, without a config of ours: nothing here could be tested. */
export const documented: readonly Host[] = [
  {
    name: 'github-pages',
    title: 'GitHub Pages',
    lacks: { http: 'no', path: 'no', 404: 'no', 405: 'no', OPTIONS: 'no', headers: 'no', hides: 'no' },
    cannot: [
      'answer without a redirect: a path without a slash gets 301',
      'choose by scheme: both get the https variant',
      'send the headers of the contract or a JSON 404, or hide files',
    ],
    seen: { as: 'GitHub', by: ['server: github'] },
  },
  {
    name: 'gitlab-pages',
    title: 'GitLab Pages',
    lacks: { http: 'no', 404: 'no', 405: 'no', OPTIONS: 'no', headers: 'no', hides: 'no' },
    cannot: [
      'choose by scheme: both get the https variant',
      'send the headers of the contract or a JSON 404, or hide files',
    ],
    seen: { as: 'GitLab', by: ['server: gitlab'] },
    limits: { files: 200_000 },
  },
  {
    name: 's3-website',
    title: 'Amazon S3 website endpoint',
    lacks: { https: 'no', path: 'no', 405: 'no', OPTIONS: 'no', headers: 'part', hides: 'no' },
    cannot: [
      'answer over https',
      'answer without a redirect: a path without a slash gets 302',
      'answer OPTIONS or refuse methods as the contract says',
      'send other headers than those that S3 stores with a file, or hide files',
    ],
    seen: { as: 'S3', by: ['server: amazons3'] },
  },
  {
    name: 'google-cloud',
    title: 'Google Cloud load balancer with Cloud Storage',
    lacks: { 405: 'no', OPTIONS: 'part' },
    cannot: [
      'refuse methods with the JSON 405',
      'answer every OPTIONS: preflights only, by the CORS rules of the bucket',
    ],
  },
  {
    name: 'azure-front-door',
    title: 'Azure Front Door with Blob storage',
    lacks: { 404: 'no', 405: 'no', OPTIONS: 'part' },
    cannot: [
      'send the JSON bodies of 404 and 405',
      'answer OPTIONS outside the CORS rules of the storage account',
    ],
  },
  {
    name: 'bunny',
    title: 'bunny.net',
    lacks: { http: 'part', 404: 'part' },
    cannot: ['choose by scheme, path and status at once with edge rules alone'],
  },
  {
    name: 'render',
    title: 'Render static sites',
    lacks: { http: 'no', 404: 'no', 405: 'no', OPTIONS: 'no', hides: 'no' },
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
    lacks: Object.fromEntries(abilities.map((name) => [name, 'no'])),
    cannot: [
      'serve any path below /api: it is reserved for functions, so static files there are never served',
    ],
  },
]
