import type { Host } from './host.ts'

/** Hosts that are described in docs/hosting/managed.md, without a config of ours: nothing here could be tested. */
export const documented: readonly Host[] = [
  {
    name: 'github-pages',
    title: 'GitHub Pages',
    support: 'documented',
    brief: 'https only; redirects paths without a slash',
    cannot: [
      'answer without a redirect: a path without a slash gets 301',
      'choose by scheme: both get the https variant',
      'send the headers of the contract or a JSON 404, or hide files',
    ],
    seen: {
      as: 'GitHub',
      by: ['server: github'],
      fixes: {
        'scheme-redirects': 'switch off "Enforce HTTPS"; GitHub Pages still serves one variant to both',
        'not-found-body': 'GitHub Pages serves 404.html only',
      },
    },
    overHttp: 'a redirect, with "Enforce HTTPS"',
  },
  {
    name: 'gitlab-pages',
    title: 'GitLab Pages',
    support: 'documented',
    brief: 'https only; no headers, no JSON 404',
    cannot: [
      'choose by scheme: both get the https variant',
      'send the headers of the contract or a JSON 404, or hide files',
    ],
    seen: {
      as: 'GitLab',
      by: ['server: gitlab'],
      fixes: {
        'scheme-redirects': 'switch off "Force HTTPS" in the settings of Pages',
      },
    },
    overHttp: 'a redirect, with "Force HTTPS"',
    limits: { files: 200_000 },
  },
  {
    name: 's3-website',
    title: 'Amazon S3 website endpoint',
    support: 'documented',
    brief: 'http only; redirects paths without a slash',
    cannot: [
      'answer over https',
      'answer without a redirect: a path without a slash gets 302',
      'answer OPTIONS or refuse methods as the contract says',
    ],
    seen: {
      as: 'S3',
      by: ['server: amazons3'],
      fixes: {
        'method-status': 'S3 answers other methods itself; a CDN in front must do it',
      },
    },
    overHttp: 'the files: it has no https at all',
  },
  {
    name: 'google-cloud',
    title: 'Google Cloud load balancer with Cloud Storage',
    support: 'documented',
    brief: 'both schemes; no JSON 405',
    cannot: [
      'refuse methods with the JSON 405',
      'answer every OPTIONS: preflights only, by the CORS rules of the bucket',
    ],
    overHttp: 'what the load balancer is told: a redirect, or nothing',
  },
  {
    name: 'azure-front-door',
    title: 'Azure Front Door with Blob storage',
    support: 'documented',
    brief: 'both schemes; no JSON 404 and 405',
    cannot: [
      'send the JSON bodies of 404 and 405',
      'answer OPTIONS outside the CORS rules of the storage account',
    ],
    overHttp: 'a redirect, with "redirect all traffic to HTTPS"',
  },
  {
    name: 'bunny',
    title: 'bunny.net',
    support: 'documented',
    brief: 'both schemes, with a script of your own',
    cannot: ['choose by scheme, path and status at once with edge rules alone'],
    overHttp: 'a redirect, with "Force SSL"',
  },
  {
    name: 'render',
    title: 'Render static sites',
    support: 'documented',
    brief: 'https only; no JSON 404, no OPTIONS',
    cannot: [
      'answer plain http: it is redirected to https',
      'send a JSON 404 or 405, or answer OPTIONS',
      'hide files',
    ],
    overHttp: 'a redirect (301) to https',
  },
  {
    name: 'azure-static-web-apps',
    title: 'Azure Static Web Apps',
    support: 'impossible',
    brief: 'no: /api is reserved there',
    cannot: [
      'serve any path below /api: it is reserved for functions, so static files there are never served',
    ],
    overHttp: 'nothing',
  },
]
