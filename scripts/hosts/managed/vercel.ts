import {
  commonHeaders,
  contentType,
  type ErrorAnswer,
  errors,
  indexFile,
  okHeaders,
  preflight,
} from '../../api/routes.ts'
import type { Host } from '../config/host.ts'
import { sentPath, sentSitePath } from '../config/sent-path.ts'

/** vercel.json, deployed from inside the snapshot. Routes are tried in order; the first without `continue` decides. */
const routing = (basePath: string): object => ({
  framework: null,
  buildCommand: null,
  installCommand: null,
  outputDirectory: '.',
  routes: [
    { src: '/.*', headers: commonHeaders, continue: true },
    { src: '/.*', methods: ['OPTIONS'], status: preflight.status, headers: preflight.headers },
    success(sentPath(basePath), `$1/${indexFile}`),
    success(sentSitePath(basePath), '$1'),
    { ...failure(errors.notFound), methods: ['GET', 'HEAD'] },
    failure(errors.methodNotAllowed),
    { handle: 'error' },
    failure(errors.notFound),
  ],
})

const success = (src: string, dest: string) => ({
  src,
  caseSensitive: true,
  methods: ['GET', 'HEAD'],
  dest,
  headers: { ...okHeaders, 'Content-Type': contentType },
})

const failure = ({ status, file, headers }: ErrorAnswer) => ({
  src: '/.*',
  status,
  dest: `/${file}`,
  headers: { ...headers, 'Content-Type': contentType },
})

const json = (basePath: string): string => `${JSON.stringify(routing(basePath), null, 2)}\n`

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  support: 'generated',
  can: [
    'the https variant, without redirects, with the headers of the contract',
    'preflight, the JSON 404 and 405 by its routing rules; every file is hidden under its own name',
    'ETag, 304 and HEAD',
  ],
  cannot: [
    'answer plain http: it always redirects to https with 308',
    'leave HSTS out: it is set on every domain',
    'be proved from here: its rules are checked by the schema and the compiler, not by a running engine',
  ],
  config: ({ basePath }) => json(basePath),
  files: ({ basePath }) => [{ path: 'vercel.json', text: json(basePath) }],
}
