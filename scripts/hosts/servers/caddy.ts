import {
  commonHeaders,
  contentType,
  type ErrorAnswer,
  errors,
  indexFile,
  methods,
  okHeaders,
  otherErrorHeaders,
  preflight,
  storeFailure,
  type Variant,
  variantFolder,
  variants,
} from '../../api/routes.ts'
import { UserError } from '../../problems/user-error.ts'
import { comment } from '../config/comment.ts'
import type { Host, HostOptions } from '../config/host.ts'
import { sentPath, sentSitePath, withQuery } from '../config/sent-path.ts'
import { answerFromStore } from './caddy-origin.ts'

export const caddy: Host = {
  name: 'caddy',
  title: 'Caddy',
  support: 'proved',
  can: ['both schemes', 'the whole contract', 'precompressed files', 'snapshots in a store, with --origin'],
  cannot: [
    'answer malformed requests with JSON: a wrong escape such as %zz gets its own 400',
    'give HEAD the length of a compressed answer: it leaves Content-Length out',
    'read from a folder whose name has both a backquote and a backslash',
    'with --origin, serve precompressed files',
  ],
  takesOrigin: true,
  config: (options) => [about(options), answers(options), sites(options)].join('\n'),
}

const about = ({ name, listen }: HostOptions): string => `${comment(
  '#',
  [
    `${name}, made by Shotpress: npm run host -- caddy`,
    'A whole Caddyfile, such as /etc/caddy/Caddyfile; then: systemctl restart caddy',
    "It never sends Strict-Transport-Security, which would end the http variant; don't add it.",
  ],
  caddy,
)}
{
	# nothing can change the config at run time; for "caddy reload", take this line out
	admin off
	# the certificate is given below, and http must not be redirected
	auto_https off
${listen === undefined ? '' : `\tdefault_bind ${listen}\n`}}
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

${folder(options)}
		# the path as it was sent: not decoded, no dots resolved, no slashes merged
		@member vars_regexp path {http.request.uri} ${quoted(withQuery(sentPath(options.basePath)))}
		vars @member file {vars.folder}{http.regexp.path.1}/${indexFile}
		@site vars_regexp path {http.request.uri} ${quoted(withQuery(sentSitePath(options.basePath)))}
		vars @site file {http.regexp.path.1}
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

const answerFromFolder = ({ precompress }: HostOptions): string => `\
			request_header -Range
			rewrite * {vars.file}
			header Content-Type ${quoted(contentType)}
			header {
${headerLines(4, precompress.length > 0 ? { ...okHeaders, Vary: 'Accept-Encoding' } : okHeaders)}
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
      `vars @${name} folder ${path(variant)}`,
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

const path = (variant: Variant): string => {
  const folder = variantFolder[variant]
  return folder === '' ? '""' : `/${folder}`
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
  const host = name.includes(':') ? `[${name}]` : name
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
