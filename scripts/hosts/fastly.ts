import * as api from '../api/routes.ts'
import type { Host, HostOptions } from './host.ts'
import { about, block, type Lines, textOf } from './lines.ts'
import { folderOf, type Headers, otherTypes, type PathRule, pathRules } from './rules.ts'

export const fastly: Host = {
  name: 'fastly',
  title: 'Fastly (VCL)',
  support: 'generated',
  cannot: [
    'hold files: it needs an origin that serves the snapshot as plain files, such as a bucket',
    'leave the http variant alone when "force TLS" or HSTS is on in the service: keep both off',
  ],
  config: (options) => textOf(vcl(options)),
}

/** Statuses for our own use: `error` passes them to `vcl_error`. Fastly leaves 600 to 699 free. */
const internal = { preflight: 604, methodNotAllowed: 605, notFound: 644, redirect: 608 } as const

const vcl = ({ basePath, schemes }: HostOptions): Lines => [
  about(
    fastly,
    { schemes },
    'Custom VCL (main). Made by Shotpress from its route table: do not edit.',
    'The service needs one host (the origin that serves the snapshot as plain files); no other setting is used.',
  ),
  sub('recv', [
    '# the first node chooses the file; a shield sees the path as it was chosen',
    block('if (fastly.ff.visits_this_service == 0 && req.restarts == 0)', [
      `
      if (req.method == "OPTIONS") {
        error ${internal.preflight};
      }
      if (req.method != "GET" && req.method != "HEAD") {
        error ${internal.methodNotAllowed};
      }
      `,
      !schemes.includes('http') &&
        `
        if (!fastly_info.edge.is_tls) {
          error ${internal.redirect};
        }
        `,
      pathRules(basePath).flatMap(fileRule),
      block('} else', [`error ${internal.notFound};`]),
    ]),
    'return(lookup);',
  ]),
  '',
  `
  sub vcl_hash {
    set req.hash += req.url;
    set req.hash += req.http.host;
  #FASTLY hash
    return(hash);
  }
  `,
  sub('fetch', [
    `
    if (beresp.status == 403 || beresp.status == 404) {
      error ${internal.notFound};
    }
    if (beresp.status >= 400) {
      set beresp.cacheable = false;
      return(deliver);
    }
    `,
    kept({ ...api.okHeaders, 'Content-Type': api.contentType }),
    otherTypes.flatMap(({ atEnd, headers }) =>
      block(`if (req.url ~ ${string(atEnd)})`, kept(headers)),
    ),
    'return(deliver);',
  ]),
  sub('deliver', [
    set('resp', api.commonHeaders),
    `
    if (resp.status == 304) {
      unset resp.http.Content-Type;
    }
    return(deliver);
    `,
  ]),
  sub('error', [
    synthetic(
      internal.preflight,
      [api.preflight.status, 'No Content'],
      set('obj', api.preflight.headers),
    ),
    synthetic(
      internal.redirect,
      [308, 'Permanent Redirect'],
      ['set obj.http.Location = "https://" req.http.host req.url;'],
    ),
    failure(internal.methodNotAllowed, 'Method Not Allowed', api.errors.methodNotAllowed),
    failure(internal.notFound, 'Not Found', api.errors.notFound),
    'return(deliver);',
  ]),
]

/** A subroutine, with the mark after which Fastly puts its own code. */
const sub = (name: string, indented: Lines): Lines => [
  '',
  `sub vcl_${name} {`,
  `#FASTLY ${name}`,
  { indented },
  '}',
]

const fileRule = ({ pattern, variants, ending }: PathRule, index: number): Lines => {
  const file = (variant: api.Variant): string => {
    const parts = [string(variants ? folderOf(variant) : ''), 're.group.1', string(ending)]
    return `set req.url = ${parts.filter((part) => part !== '""').join(' ')};`
  }
  const condition = `if (req.url.path ~ ${string(pattern)}) {`
  const choice = `
    if (fastly_info.edge.is_tls) {
      ${file('https')}
    } else {
      ${file('http')}
    }
    `
  return [
    index === 0 ? condition : `} els${condition}`,
    { indented: [variants ? choice : file('https')] },
  ]
}

/** Headers of a file. The edge keeps it as long as a client may. */
const kept = (headers: api.FileHeaders): Lines => [
  set('beresp', headers),
  `set beresp.ttl = ${headers['Cache-Control'].replace(/^.*max-age=(\d+).*/, '$1')}s;`,
]

/** Answers an internal status with one that clients know. */
const synthetic = (
  from: number,
  [status, text]: readonly [number, string],
  lines: Lines,
  body = '',
): Lines =>
  block(`if (obj.status == ${from})`, [
    `set obj.status = ${status};`,
    `set obj.response = ${string(text)};`,
    lines,
    `synthetic ${string(body)};`,
    'return(deliver);',
  ])

const failure = (from: number, text: string, { status, body, headers }: api.ErrorAnswer): Lines =>
  synthetic(from, [status, text], set('obj', { 'Content-Type': api.contentType, ...headers }), body)

const set = (object: string, headers: Headers): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `set ${object}.http.${name} = ${string(value)};`)

/** A VCL string; escapes are `%xx`. The long form `{"…"}` won't do: the `"}` of a JSON body ends it. */
const string = (text: string): string =>
  `"${text.replace(/[%"\u{0}-\u{1f}\u{7f}-\u{10ffff}]/gu, (char) => encodeURIComponent(char))}"`
