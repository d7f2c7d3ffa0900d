import * as api from '../api/routes.ts'
import type { Host, HostOptions } from './host.ts'
import { type Lines, limitsOf, lines, textOf } from './lines.ts'
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
const internal = {
  preflight: 604,
  methodNotAllowed: 605,
  notFound: 644,
  redirect: 608,
} as const

const vcl = ({ basePath, hasHttp }: HostOptions) => {
  const toHttps = lines`
    if (!fastly_info.edge.is_tls) {
      error ${internal.redirect};
    }
    `
  const types = otherTypes.map(
    ({ atEnd, headers }) => lines`
    if (req.url ~ ${string(atEnd)}) {
      ${kept(headers)}
    }
    `,
  )
  return lines`
    # Custom VCL (main). Made by Shotpress from its route table: do not edit.
    # The service needs one host (the origin that serves the snapshot as plain files); no other setting is used.
    ${limitsOf(fastly, hasHttp)}

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
        ${!hasHttp && toHttps}
        ${pathRules(basePath).map(fileRule)}
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
      ${kept({ ...api.okHeaders, 'Content-Type': api.contentType })}
      ${types}
      return(deliver);
    }

    sub vcl_deliver {
    #FASTLY deliver
      ${set('resp', api.commonHeaders)}
      if (resp.status == 304) {
        unset resp.http.Content-Type;
      }
      return(deliver);
    }

    sub vcl_error {
    #FASTLY error
      if (obj.status == ${internal.preflight}) {
        set obj.status = ${api.preflight.status};
        set obj.response = "No Content";
        ${set('obj', api.preflight.headers)}
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
      ${failure(internal.methodNotAllowed, 'Method Not Allowed', api.errors.methodNotAllowed)}
      ${failure(internal.notFound, 'Not Found', api.errors.notFound)}
      return(deliver);
    }
    `
}

const fileRule = ({ pattern, variants, ending }: PathRule, index: number) => {
  const file = (variant: api.Variant) => {
    const parts = [string(variants ? folderOf(variant) : ''), 're.group.1', string(ending)]
    return `set req.url = ${parts.filter((part) => part !== '""').join(' ')};`
  }
  const choice = lines`
    if (fastly_info.edge.is_tls) {
      ${file('https')}
    } else {
      ${file('http')}
    }
    `
  return lines`
    ${index === 0 ? 'if' : '} elsif'} (req.url.path ~ ${string(pattern)}) {
      ${variants ? choice : file('https')}
    `
}

/** Headers of a file. The edge keeps it as long as a client may. */
const kept = (headers: api.FileHeaders): Lines => [
  ...set('beresp', headers),
  `set beresp.ttl = ${headers['Cache-Control'].replace(/^.*max-age=(\d+).*/, '$1')}s;`,
]

/** Answers an internal status with an error that clients know. */
const failure = (
  from: number,
  text: string,
  { status, body, headers }: api.ErrorAnswer,
) => lines`
  if (obj.status == ${from}) {
    set obj.status = ${status};
    set obj.response = ${string(text)};
    ${set('obj', { 'Content-Type': api.contentType, ...headers })}
    synthetic ${string(body)};
    return(deliver);
  }
  `

const set = (object: string, headers: Headers): readonly string[] =>
  Object.entries(headers).map(
    ([name, value]) => `set ${object}.http.${name} = ${string(value)};`,
  )

/**
 * A VCL string; escapes are `%xx`. The long form `{"…"}` won't do: the `"}` of a JSON body
 * ends it.
 */
const string = (text: string) =>
  `"${text.replace(/[%"\u{0}-\u{1f}\u{7f}-\u{10ffff}]/gu, (char) => encodeURIComponent(char))}"`
