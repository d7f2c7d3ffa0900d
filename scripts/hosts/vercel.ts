import * as api from '../api/routes.ts'
import type { Host, HostFacts } from './host.ts'
import { jsonFile, literal } from './lines.ts'
import { otherTypes, pathRules } from './rules.ts'

/**
 * vercel.json, deployed from inside the snapshot. Routes are tried in order; the first
 * without `continue` decides.
 */
const config = ({ basePath }: HostFacts) =>
  jsonFile({
    framework: null,
    buildCommand: null,
    installCommand: null,
    outputDirectory: '.',
    routes: [
      { src: '/.*', headers: api.commonHeaders, continue: true },
      {
        src: '/.*',
        methods: ['OPTIONS'],
        status: api.preflight.status,
        headers: api.preflight.headers,
      },
      ...[
        ...otherTypes.map(({ pattern, headers }) => ({
          src: `^${literal(basePath)}(${pattern})/?$`,
          dest: '$1',
          headers,
        })),
        ...pathRules(basePath).map(({ pattern, ending }) => ({
          src: pattern,
          dest: `$1${ending}`,
          headers: { ...api.okHeaders, 'Content-Type': api.contentType },
        })),
      ].map((route) => ({ ...route, caseSensitive: true, methods: ['GET', 'HEAD'] })),
      { ...failure(api.errors.notFound), methods: ['GET', 'HEAD'] },
      failure(api.errors.methodNotAllowed),
      { handle: 'error' },
      failure(api.errors.notFound),
    ],
  })

const failure = ({ status, file, headers }: api.ErrorAnswer) => ({
  src: '/.*',
  status,
  dest: `/${file}`,
  headers: { ...headers, 'Content-Type': api.contentType },
})

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  support: 'generated',
  no: ['http'],
  part: ['headers'],
  config,
  files: (facts) => [{ path: 'vercel.json', text: config(facts) }],
}
