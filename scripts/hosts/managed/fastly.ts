import {
  commonHeaders,
  contentType,
  type ErrorAnswer,
  errors,
  indexFile,
  okHeaders,
  preflight,
  type SiteRoute,
  servedSiteRoutes,
  type Variant,
  variantFolder,
} from '../../api/routes.ts'
import { comment } from '../config/comment.ts'
import type { Host, HostOptions } from '../config/host.ts'
import { sentPath } from '../config/sent-path.ts'

const about: Host = {
  name: 'fastly',
  title: 'Fastly (VCL)',
  support: 'generated',
  can: [
    'both schemes, chosen before the cache look-up',
    'every status, header, error body and method of the contract',
    'ETag and 304 from the origin and the cache',
  ],
  cannot: [
    'hold files: it needs an origin that serves the snapshot as plain files, such as a bucket',
    'leave the http variant alone when "force TLS" or HSTS is on in the service: keep both off',
  ],
  limits: { fileBytes: 20 * 1024 * 1024 },
}

/** Statuses for our own use: `error` passes them to `vcl_error`. Fastly leaves 600 to 699 free. */
const internal = { preflight: 604, methodNotAllowed: 605, notFound: 644 } as const

const vcl = ({ basePath }: HostOptions): string => `${comment(
  '#',
  [
    'Custom VCL (main). Made by Shotpress from its route table: do not edit.',
    'The service needs one host (the origin that serves the snapshot as plain files); no other setting is used.',
  ],
  about,
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
    if (req.url.path ~ ${string(sentPath(basePath))}) {
      if (fastly_info.edge.is_tls) {
        set req.url = ${chosen('https')};
      } else {
        set req.url = ${chosen('http')};
      }
${servedSiteRoutes.map((route) => siteRule(basePath, route)).join('\n')}
    } else {
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
  set beresp.ttl = ${maxAge}s;
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
${failure(internal.methodNotAllowed, 'Method Not Allowed', errors.methodNotAllowed)}
${failure(internal.notFound, 'Not Found', errors.notFound)}
  return(deliver);
}
`

/** How long the edge keeps an answer: as long as a client may. */
const maxAge = Number(/max-age=(\d+)/.exec(okHeaders['Cache-Control'])![1])

const chosen = (variant: Variant): string =>
  [
    ...(variantFolder[variant] && [string(`/${variantFolder[variant]}`)]),
    're.group.1',
    string(`/${indexFile}`),
  ].join(' ')

const siteRule = (basePath: string, { path }: SiteRoute): string => `\
    } elsif (req.url.path == ${string(basePath + path)} || req.url.path == ${string(`${basePath}${path}/`)}) {
      set req.url = ${string(path)};`

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

export const fastly: Host = { ...about, config: vcl }
