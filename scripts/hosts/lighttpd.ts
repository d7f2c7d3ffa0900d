import * as api from '../api/routes.ts'
import { bracketed, type Host, type HostOptions } from './host.ts'
import { type Lines, limitsOf, lines, literal, noHsts, textOf } from './lines.ts'
import { folderOf, type Headers, otherTypes, pathRules } from './rules.ts'

export const lighttpd: Host = {
  name: 'lighttpd',
  title: 'lighttpd 1.4',
  support: 'proved',
  part: ['405'],
  cannot: [
    "serve precompressed files: it can't fall back where there is none",
    'answer methods that it has never heard of with 405: the body is right, the status 501',
    'answer a POST or PUT without a length with 405: the body is right, the status 411',
    'answer what it takes for malformed with 404: a path without a slash gets a JSON body with status 400, one of over 8,000 characters with 431',
    'answer a GET with a body: it says 400',
    'leave the content type out of a 304',
    'tell its own error path from a malformed request: GET /error 404 HTTP/1.1, with a space in the path, gets the body of the 404 with status 200',
  ],
  overHttp: 'no connection: it listens for https alone',
  config: (options) => textOf(config(options)),
}

const config = (options: HostOptions) => {
  const { name, root, basePath, listen, http, https, cert, key, hasHttp, trust } = options
  const addresses = listen === undefined ? ['0.0.0.0', '[::]'] : [bracketed(listen)]
  const [first, ...others] = addresses
  const tls = lines`
    ssl.engine = "enable"
    ssl.pemfile = ${quoted(cert)}
    ssl.privkey = ${quoted(key)}
    `
  const secure = (hasHttp ? addresses : others).map(
    (address) => lines`
    $SERVER["socket"] == "${address}:${https}" {
      ${tls}
    }
    `,
  )
  const folders = Object.fromEntries(
    api.variants.map((variant) => [variant, quoted(root + folderOf(variant))]),
  )
  const proxied = trust.map(
    (peer) => lines`
    $HTTP["remote-ip"] == "${peer}" {
      $REQUEST_HEADER["x-forwarded-proto"] == "https" {
        server.document-root = ${folders.https}
      }
      $REQUEST_HEADER["x-forwarded-proto"] == "http" {
        server.document-root = ${folders.http}
      }
    }
    `,
  )
  const aliases = shared.map((place) => pair(`/${place}`, `${root}/${place}`))
  const types = otherTypes.map(({ ending, headers }) => pair(ending, headers['Content-Type']))
  const rewrites = [
    ...pathRules(basePath).map(({ withQuery, ending }) => pair(withQuery, `$1${ending}`)),
    ...Object.values(api.errors).map((error) =>
      pair(`^${literal(errorPath(error))}$`, `/${error.file}`),
    ),
  ]
  return lines`
    # ${name}, made by Shotpress: npx shotpress host lighttpd
    # A whole file, such as /etc/lighttpd/lighttpd.conf; Debian has TLS in the package lighttpd-mod-openssl.
    # ${hasHttp && noHsts}
    ${limitsOf(lighttpd, hasHttp)}

    # mod_setenv before mod_redirect, or its headers come too late
    server.modules = ( "mod_rewrite", "mod_setenv", "mod_redirect", "mod_alias", "mod_openssl" )
    server.name = ${quoted(name)}
    server.tag = ""
    # ignored when not started as root
    server.username = "www-data"
    server.groupname = "www-data"
    server.bind = "${first}"
    server.port = ${hasHttp ? http : https}
    ${!hasHttp && tls}
    $SERVER["socket"] == "${hasHttp && others}:${http}" { }
    ${secure}

    # the folder of the request's scheme
    server.document-root = ${folders.https}
    $HTTP["scheme"] == "http" {
      server.document-root = ${folders.http}
    }
    ${trust.length > 0 && believed}
    ${proxied}
    alias.url = ( ${aliases.join(', ')} )
    mimetype.assign = ( ${[...types, pair('', api.contentType)].join(', ')} )
    server.range-requests = "disable"
    # a file that has just changed must not keep its old ETag
    server.stat-cache-engine = "disable"
    etag.use-inode = "disable"

    # paths are compared as they are sent: not decoded, no dots resolved, no slashes merged
    server.http-parseopts = ( "url-normalize" => "disable",
      "url-normalize-unreserved" => "disable",
      "url-normalize-required" => "disable",
      "url-path-2f-decode" => "disable",
      "url-path-2f-reject" => "disable",
      "url-path-dotseg-remove" => "disable",
      "url-path-dotseg-reject" => "disable" )
    # an error asks for a path with a space in it, which is no path that a client may send
    server.error-handler = "${errorPath(api.errors.methodNotAllowed)}"
    url.rewrite-once = (
      ${rewrites},
      "" => "/-"
    )
    ${answers}
    `
}

const believed = '# X-Forwarded-Proto is believed from these peers of the connection alone'

/** What both schemes have in common: files, or the folders that they are in. */
const shared = [
  ...Object.values(api.errors).map(({ file }) => file),
  ...new Set(
    api.siteRoutes
      .filter(({ variants }) => !variants)
      .map(({ path }) => path.slice(1).replace(/\/<.*/, '')),
  ),
  // an alias stands for all that begins as it does
].filter((place, _, all) => !all.some((other) => place !== other && place.startsWith(other)))

const errorPath = ({ status }: api.ErrorAnswer) => `/error ${status}`

/** A backslash stands for itself, except before a quote. */
const quoted = (text: string) => `"${text.replaceAll('"', '\\"')}"`

const pair = (name: string, value: string) => `"${name}" => ${quoted(value)}`

/** Headers of answers, besides those of all. */
const headers = (own: Headers): Lines => {
  const pairs = Object.entries({ ...api.commonHeaders, ...own }).map((entry) =>
    pair(...entry),
  )
  return `setenv.set-response-header = ( ${pairs.join(',\n  ')} )`.split('\n')
}

/** Headers of what the paths have been rewritten to, and the methods. */
const answers = [
  headers({}),
  lines`
  $HTTP["url"] =~ "/${literal(api.indexFile)}$" {
    ${headers(api.okHeaders)}
  }
  `,
  api.siteRoutes
    .filter(({ index }) => !index)
    .map(
      ({ pattern, headers: { 'Cache-Control': cache } }) => lines`
      $HTTP["url"] =~ "^${pattern}$" {
        ${headers({ 'Cache-Control': cache })}
      }
      `,
    ),
  // an error stays an error even if the client's request has conditions
  Object.values(api.errors).map(
    ({ file, headers: own }) => lines`
    $HTTP["url"] == "/${file}" {
      ${headers(own)}
      setenv.set-request-header = ( "If-None-Match" => "", "If-Modified-Since" => "" )
    }
    `,
  ),
  lines`
  $HTTP["request-method"] == "OPTIONS" {
    url.redirect = ( "" => "/" )
    url.redirect-code = ${api.preflight.status}
    ${headers({ ...api.preflight.headers, Location: '' })}
  }
  $HTTP["request-method"] =~ "^(?:${api.methods.filter((one) => one !== 'OPTIONS').join('|')})$" {
    server.error-handler = "${errorPath(api.errors.notFound)}"
  }
  $HTTP["request-method"] !~ "^(?:${api.methods.join('|')})$" {
    url.redirect = ( "" => "/" )
    url.redirect-code = ${api.errors.methodNotAllowed.status}
  }
  `,
]
