import {
  commonHeaders,
  contentType,
  type ErrorAnswer,
  errors,
  okHeaders,
  preflight,
  type Variant,
} from '../api/routes.ts'
import {
  comment,
  folderOf,
  type Host,
  type HostOptions,
  httpsOnly,
  literal,
  otherTypes,
  type PathRule,
  pathRules,
} from './host.ts'

export const fastly: Host = {
  name: 'fastly',
  title: 'Fastly (VCL)',
  support: 'generated',
  lacks: {},
  cannot: [
    'hold files: it needs an origin that serves the snapshot as plain files, such as a bucket',
    'leave the http variant alone when "force TLS" or HSTS is on in the service: keep both off',
  ],
  overHttp: 'a redirect (308) to https',
  seen: { as: 'Fastly', by: ['x-timer'] },
  limits: { fileBytes: 20 * 1024 * 1024 },
  config: (options) => vcl(options),
}

/** Statuses for our own use: `error` passes them to `vcl_error`. Fastly leaves 600 to 699 free. */
const internal = { preflight: 604, methodNotAllowed: 605, notFound: 644, redirect: 608 } as const

const vcl = ({ basePath, schemes }: HostOptions): string => `${comment(
  '#',
  [
    'Custom VCL (main). Made by Shotpress from its route table: do not edit.',
    'The service needs one host (the origin that serves the snapshot as plain files); no other setting is used.',
  ],
  { host: fastly, schemes },
)}

sub vcl_recv {
#FASTLY recv
  # the first node chooses the file; a shield sees the path as it was chosen
  if (fastly.ff.visits_this_service == 0 && req.restarts == 0) {
    if (req.method == "OPTIONS") {
      error ${internal.preflight};
    }
    if (req.method != "GET" && req.method != "HEAD") {
      error ${internal.methodNotAllowed};
    }
${httpsOnly({ schemes }) ? redirect : ''}\
${pathRules(basePath).map(fileRule).join('')} else {
      error ${internal.notFound};
    }
  }
  return(lookup);
}

sub vcl_hash {
  set req.hash += req.url;
  set req.hash += req.http.host;
#FASTLY hash
  return(hash);
}

sub vcl_fetch {
#FASTLY fetch
  if (beresp.status == 403 || beresp.status == 404) {
    error ${internal.notFound};
  }
  if (beresp.status >= 400) {
    set beresp.cacheable = false;
    return(deliver);
  }
${set('beresp', { ...okHeaders, 'Content-Type': contentType })}
  set beresp.ttl = ${maxAge(okHeaders['Cache-Control'])}s;
${otherTypes.map(otherType).join('\n')}
  return(deliver);
}

sub vcl_deliver {
#FASTLY deliver
${set('resp', commonHeaders)}
  if (resp.status == 304) {
    unset resp.http.Content-Type;
  }
  return(deliver);
}

sub vcl_error {
#FASTLY error
  if (obj.status == ${internal.preflight}) {
    set obj.status = ${preflight.status};
    set obj.response = "No Content";
${set('obj', preflight.headers, '    ')}
    synthetic "";
    return(deliver);
  }
  if (obj.status == ${internal.redirect}) {
    set obj.status = 308;
    set obj.response = "Permanent Redirect";
    set obj.http.Location = "https://" req.http.host req.url;
    synthetic "";
    return(deliver);
  }
${failure(internal.methodNotAllowed, 'Method Not Allowed', errors.methodNotAllowed)}
${failure(internal.notFound, 'Not Found', errors.notFound)}
  return(deliver);
}
`

/** How long the edge keeps an answer: as long as a client may. */
const maxAge = (cacheControl: string): string => /max-age=(\d+)/.exec(cacheControl)![1]!

const fileRule = ({ pattern, variants, ending }: PathRule, index: number): string => {
  const file = (variant: Variant): string => {
    const [before, after] = [variants && folderOf(variant), ending].map((text) => text && string(text))
    return `set req.url = ${[before, 're.group.1', after].filter(Boolean).join(' ')};`
  }
  const choice = `if (fastly_info.edge.is_tls) {
        ${file('https')}
      } else {
        ${file('http')}
      }`
  return `${index === 0 ? '    if' : ' elsif'} (req.url.path ~ ${string(pattern)}) {
      ${variants ? choice : file('https')}
    }`
}

const otherType = ({ ending, headers }: (typeof otherTypes)[number]): string => `\
  if (req.url ~ ${string(`${literal(ending)}$`)}) {
${set('beresp', headers, '    ')}
    set beresp.ttl = ${maxAge(headers['Cache-Control'])}s;
  }`

const redirect = `\
    if (!fastly_info.edge.is_tls) {
      error ${internal.redirect};
    }
`

const failure = (from: number, text: string, { status, body, headers }: ErrorAnswer): string => `\
  if (obj.status == ${from}) {
    set obj.status = ${status};
    set obj.response = ${string(text)};
${set('obj', { 'Content-Type': contentType, ...headers }, '    ')}
    synthetic ${string(body)};
    return(deliver);
  }`

const set = (object: string, headers: Readonly<Record<string, string>>, indent = '  '): string =>
  Object.entries(headers)
    .map(([name, value]) => `${indent}set ${object}.http.${name} = ${string(value)};`)
    .join('\n')

/** A VCL string; escapes are `%xx`. The long form `{"…"}` won't do: the `"}` of a JSON body ends it. */
const string = (text: string): string =>
  `"${text.replace(/[%"\u{0}-\u{1f}\u{7f}-\u{10ffff}]/gu, (char) => encodeURIComponent(char))}"`
