import {
  commonHeaders,
  contentType,
  type ErrorAnswer,
  errors,
  methods,
  okHeaders,
  otherErrorHeaders,
  preflight,
  storeFailure,
  type Variant,
  variants,
} from '../api/routes.ts'
import { UserError } from '../problems/user-error.ts'
import {
  bracketed,
  folderOf,
  type Host,
  type HostOptions,
  httpsOnly,
  literal,
  otherTypes,
  type PathRule,
  pathRules,
  secureOrigin,
  serverHead,
  withQuery,
} from './host.ts'

export const caddy: Host = {
  name: 'caddy',
  title: 'Caddy',
  support: 'proved',
  lacks: {},
  cannot: [
    'answer malformed requests with JSON: a wrong escape such as %zz gets its own 400',
    'give HEAD the length of a compressed answer: it leaves Content-Length out',
    'read from a folder whose name has both a backquote and a backslash',
    'with --origin, serve precompressed files',
  ],
  overHttp: 'a redirect (308) to https',
  takesOrigin: true,
  seen: { as: 'Caddy', by: ['server: caddy'] },
  config: (options) => [about(options), answers(options), sites(options)].join('\n'),
}

const about = (options: HostOptions): string => `${serverHead(
  caddy,
  options,
  'A whole Caddyfile, such as /etc/caddy/Caddyfile; then: systemctl restart caddy',
)}
{
	# nothing can change the config at run time; for "caddy reload", take this line out
	admin off
	# the certificate is given below, and http must not be redirected
	auto_https off
${options.listen === undefined ? '' : `\tdefault_bind ${options.listen}\n`}}
`

const answers = (options: HostOptions): string => `\
(shotpress) {
	route {
		header {
${headerLines(3, commonHeaders)}
			-Server
		}

		@options method OPTIONS
		handle @options {
			header {
${headerLines(4, preflight.headers)}
			}
			respond ${preflight.status}
		}

		@refused not method ${methods.join(' ')}
		error @refused ${errors.methodNotAllowed.status}

${folder(options)}${httpsOnly(options) ? toHttps(options) : ''}
		# the path as it was sent: not decoded, no dots resolved, no slashes merged
${pathRules(options.basePath).map(fileRule).join('\n')}
		@answer vars_regexp {vars.file} .
		handle @answer {
${options.origin === undefined ? answerFromFolder(options) : answerFromStore(options.origin)}
		}
		error ${errors.notFound.status}
	}

	handle_errors {
		header Cache-Control ${otherErrorHeaders['Cache-Control']}
		header {
${headerLines(3, commonHeaders)}
			-Server
			-Vary
			-Etag
			-Last-Modified
		}
${Object.values(errors)
  .map((error) => errorAnswer(error, `== ${error.status}`))
  .join('\n')}${options.origin === undefined ? '' : `\n${errorAnswer(storeFailure, '>= 500')}`}
	}
}
`

const fileRule = ({ pattern, variants, ending }: PathRule, index: number): string => `\
		@path_${index} vars_regexp path_${index} {http.request.uri} ${quoted(withQuery(pattern))}
		vars @path_${index} file ${variants ? '{vars.folder}' : ''}{http.regexp.path_${index}.1}${ending}`

const toHttps = (options: HostOptions): string => `\
		@plain vars {vars.folder} ${folderOf('http')}
		redir @plain ${secureOrigin(options)}{http.request.orig_uri} 308
`

/** Content type and Cache-Control of the file that answers, as `{file_type}` and `{file_cache}`. */
const typeMap = (): string => `\
			map {vars.file} {file_type} {file_cache} {
${otherTypes.map(({ ending, headers }) => `\t\t\t\t~${literal(ending)}$ ${quoted(headers['Content-Type'])} ${quoted(headers['Cache-Control'])}`).join('\n')}
				default ${quoted(contentType)} ${quoted(okHeaders['Cache-Control'])}
			}`

const answerFromFolder = ({ precompress }: HostOptions): string => `\
${typeMap()}
			request_header -Range
			rewrite * {vars.file}
			header Content-Type {file_type}
			header {
				Cache-Control {file_cache}
${precompress.length > 0 ? headerLines(4, { Vary: 'Accept-Encoding' }) : ''}
				-Accept-Ranges
				defer
			}
			file_server {
				disable_canonical_uris
${precompress.length > 0 ? `\t\t\t\tprecompressed ${precompress.join(' ')}\n` : ''}			}`

/** Chooses the folder of the request's scheme: the connection decides, and a listed proxy may overrule it. */
const folder = ({ trust }: HostOptions): string => {
  const lines = ["# the folder of the request's scheme"]
  const choose = (variant: Variant, matcher: readonly string[], name: string) => {
    lines.push(
      `@${name} {`,
      ...matcher.map((line) => `\t${line}`),
      '}',
      `vars @${name} folder ${folderOf(variant) || '""'}`,
    )
  }
  for (const variant of variants) choose(variant, [`protocol ${variant}`], variant)
  if (trust.length > 0) {
    lines.push('# X-Forwarded-Proto is believed from these peers of the connection alone')
    for (const variant of variants) {
      const said = `expression \`{http.request.header.X-Forwarded-Proto} == "${variant}"\``
      choose(variant, [`remote_ip ${trust.join(' ')}`, said], `proxied_${variant}`)
    }
  }
  return lines.map((line) => `\t\t${line}\n`).join('')
}

const errorAnswer = (
  { status, body, headers }: Pick<ErrorAnswer, 'status' | 'body' | 'headers'>,
  matching: string,
): string => `\
		@${status} expression \`{http.error.status_code} ${matching}\`
		handle @${status} {
			header {
				Content-Type ${quoted(contentType)}
${headerLines(4, headers)}
			}
			respond ${quoted(body)} ${status}
		}`

const sites = ({ name, http, https, root, origin, cert, key }: HostOptions): string => {
  const host = bracketed(name)
  // an import would undo the backslashes before braces, so the root is outside
  const folder = origin === undefined ? `\troot * ${quoted(placeholderFree(root))}\n` : ''
  return `\
# the name, and every other one
http://${host}:${http}, http://:${http} {
${folder}	import shotpress
}
https://${host}:${https}, https://:${https} {
	tls ${quoted(cert)} ${quoted(key)}
${folder}	import shotpress
}
`
}

const headerLines = (depth: number, headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${'\t'.repeat(depth)}${name} ${quoted(value)}`)
    .join('\n')

/** Between backquotes everything stands for itself but `{$NAME}`, which the environment fills, or its default. */
const quoted = (text: string): string => {
  const plain = text.replaceAll('{$', '{$SHOTPRESS_BRACE:{$}')
  if (!text.includes('`')) return `\`${plain}\``
  if (!text.includes('\\')) return `"${plain.replaceAll('"', '\\"')}"`
  throw new UserError(`a Caddyfile can't hold ${text}, which has both a backquote and a backslash`)
}

/** Braces around a name are a placeholder, except after a backslash, which only counts where a brace opens. */
const placeholderFree = (text: string): string => (text.includes('{') ? text.replace(/[{}]/g, '\\$&') : text)

/** What stands in Caddy's handler of a path that has a file, to answer from the store. */
const answerFromStore = (origin: string): string => {
  const { protocol, host, pathname } = new URL(origin)
  return `\
${typeMap()}
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
					error ${errors.notFound.status}
				}
				handle_response {
					error ${storeFailure.status}
				}
			}`
}

/** Whether If-None-Match names the tag of the store's answer. */
const [given, tag] = ['{http.request.header.If-None-Match}', '{http.reverse_proxy.header.Etag}']
const same = `${tag} != "" && (${given} == "*" || ${given}.contains(${tag}))`
