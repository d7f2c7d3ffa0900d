import * as api from '../api/routes.ts'
import { UserError } from '../problems/diagnostic.ts'
import { bracketed, type Host, type HostOptions, secureAuthority } from './host.ts'
import { type Lines, limitsOf, lines, noHsts, textOf } from './lines.ts'
import { folderOf, type Headers, otherTypes, type PathRule, pathRules } from './rules.ts'

export const caddy: Host = {
  name: 'caddy',
  title: 'Caddy',
  support: 'proved',
  cannot: [
    'answer malformed requests with JSON: a wrong escape such as %zz gets its own 400',
    'give HEAD the length of a compressed answer: it leaves Content-Length out',
    'read from a folder whose name has both a backquote and a backslash',
    'with --origin, serve precompressed files',
  ],
  takesOrigin: true,
  config: (options) => textOf(config(options)),
}

const config = (options: HostOptions): Lines => {
  const { name, http, https, root, origin, listen, cert, key, hasHttp, precompress } = options
  const host = bracketed(name)
  // braces around a name are a placeholder, except after a backslash, which only counts where
  // a brace opens
  const folder = root.includes('{') ? root.replace(/[{}]/g, '\\$&') : root
  // an import would undo the backslashes, so the root is outside
  const site = lines`
    root * ${origin === undefined && quoted(folder)}
    import shotpress
    `
  const toHttps = lines`
    @plain vars {vars.folder} ${folderOf('http')}
    redir @plain https://${secureAuthority(options)}{http.request.orig_uri} 308
    `
  const common = headerLines(api.commonHeaders)
  const types = otherTypes.map(
    ({ atEnd, headers }) =>
      `~${atEnd} ${quoted(headers['Content-Type'])} ${quoted(headers['Cache-Control'])}`,
  )
  return lines`
    # ${name}, made by Shotpress: npx shotpress host caddy
    # A whole Caddyfile, such as /etc/caddy/Caddyfile; then: systemctl restart caddy
    # ${hasHttp && noHsts}
    ${limitsOf(caddy, hasHttp)}
    {
      # nothing can change the config at run time; for "caddy reload", take this line out
      admin off
      # the certificate is given below, and http must not be redirected
      auto_https off
      default_bind ${listen}
    }

    (shotpress) {
      route {
        header {
          ${common}
          -Server
        }

        @options method OPTIONS
        handle @options {
          header {
            ${headerLines(api.preflight.headers)}
          }
          respond ${api.preflight.status}
        }

        @refused not method ${api.methods.join(' ')}
        error @refused ${api.errors.methodNotAllowed.status}

        # the folder of the request's scheme
        ${folders(options)}
        ${!hasHttp && toHttps}

        # the path as it was sent: not decoded, no dots resolved, no slashes merged
        ${pathRules(options.basePath).map(fileRule)}
        @answer vars_regexp {vars.file} .
        handle @answer {
          map {vars.file} {file_type} {file_cache} {
            ${types}
            default ${quoted(api.contentType)} ${quoted(api.okHeaders['Cache-Control'])}
          }
          ${origin === undefined ? answerFromFolder(precompress) : answerFromStore(origin)}
        }
        error ${api.errors.notFound.status}
      }

      handle_errors {
        header Cache-Control ${api.otherErrorHeaders['Cache-Control']}
        header {
          ${common}
          -Server
          -Vary
          -Etag
          -Last-Modified
        }
        ${Object.values(api.errors).map((error) => errorAnswer(error, error.status))}
        ${origin !== undefined && errorAnswer(api.storeFailure, 500, '>=')}
      }
    }

    # the name, and every other one
    http://${host}:${http}, http://:${http} {
      ${site}
    }
    https://${host}:${https}, https://:${https} {
      tls ${quoted(cert)} ${quoted(key)}
      ${site}
    }
    `.map((line) => line.replace(/^(?: {2})+/, (spaces) => '\t'.repeat(spaces.length / 2)))
}

/**
 * Chooses the folder of the request's scheme: the connection decides, and a listed proxy may
 * overrule it.
 */
const folders = ({ trust }: HostOptions) => [
  api.variants.map(
    (variant) => lines`
    @${variant} {
      protocol ${variant}
    }
    vars @${variant} folder ${folderOf(variant) || '""'}
    `,
  ),
  trust.length > 0 && [
    '# X-Forwarded-Proto is believed from these peers of the connection alone',
    api.variants.map(
      (variant) => lines`
      @proxied_${variant} {
        remote_ip ${trust.join(' ')}
        expression \`{http.request.header.X-Forwarded-Proto} == "${variant}"\`
      }
      vars @proxied_${variant} folder ${folderOf(variant) || '""'}
      `,
    ),
  ],
]

const fileRule = ({ withQuery, variants, ending }: PathRule, i: number) => lines`
  @path_${i} vars_regexp path_${i} {http.request.uri} ${quoted(withQuery)}
  vars @path_${i} file ${variants ? '{vars.folder}' : ''}{http.regexp.path_${i}.1}${ending}
  `

const answerFromFolder = (precompress: readonly api.Encoding[]) => lines`
  request_header -Range
  rewrite * {vars.file}
  header Content-Type {file_type}
  header {
    Cache-Control {file_cache}
    ${precompress.length > 0 ? headerLines({ Vary: 'Accept-Encoding' }) : ''}
    -Accept-Ranges
    defer
  }
  file_server {
    disable_canonical_uris
    precompressed ${precompress.length > 0 && precompress.join(' ')}
  }
  `

const answerFromStore = (origin: string) => {
  const { protocol, host, pathname } = new URL(origin)
  return lines`
    reverse_proxy ${protocol}//${host} {
      # nothing of the request goes to the store but the path: a header could change what it answers
      method GET
      rewrite ${pathname.replace(/\/$/, '')}{vars.file}?
      header_up Host ${host}
      header_up -**
      # and nothing of what it says reaches the client but what is copied below
      header_down -**
      transport http {
        compression off
        dial_timeout 5s
        response_header_timeout 15s
      }

      @found status 200
      handle_response @found {
        route {
          copy_response_headers {
            include ETag Last-Modified
          }
          header Cache-Control {file_cache}
          @same expression \`${same}\`
          respond @same 304
          copy_response_headers {
            include Content-Length Content-Encoding
          }
          header Content-Type {file_type}
          copy_response
        }
      }
      # without the right to list, a store says 403 of a file that is not there
      @missing status 403 404
      handle_response @missing {
        error ${api.errors.notFound.status}
      }
      handle_response {
        error ${api.storeFailure.status}
      }
    }
    `
}

const given = '{http.request.header.If-None-Match}'
const tag = '{http.reverse_proxy.header.Etag}'
/** Whether If-None-Match names the tag of the store's answer. */
const same = `${tag} != "" && (${given} == "*" || ${given}.contains(${tag}))`

const errorAnswer = (
  { status, body, headers }: Omit<api.ErrorAnswer, 'file'>,
  least: number,
  compared = '==',
) => lines`
  @${status} expression \`{http.error.status_code} ${compared} ${least}\`
  handle @${status} {
    header {
      Content-Type ${quoted(api.contentType)}
      ${headerLines(headers)}
    }
    respond ${quoted(body)} ${status}
  }
  `

const headerLines = (headers: Headers): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `${name} ${quoted(value)}`)

/**
 * Between backquotes everything stands for itself but `{$NAME}`, which the environment fills,
 * or its default.
 */
const quoted = (text: string) => {
  const plain = text.replaceAll('{$', '{$SHOTPRESS_BRACE:{$}')
  if (!text.includes('`')) return `\`${plain}\``
  if (!text.includes('\\')) return `"${plain.replaceAll('"', '\\"')}"`
  throw new UserError(
    `a Caddyfile can't hold ${text}, which has both a backquote and a backslash`,
  )
}
