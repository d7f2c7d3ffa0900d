import { contentType, errors, okHeaders, storeFailure } from '../../api/routes.ts'

/** What stands in Caddy's handler of a path that has a file, to answer from the store. */
export const answerFromStore = (origin: string): string => {
  const { protocol, host, pathname } = new URL(origin)
  return `\
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
${headerLines(okHeaders)}
						@same expression \`${same}\`
						respond @same 304
						copy_response_headers {
							include Content-Length Content-Encoding
						}
${headerLines({ 'Content-Type': contentType })}
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

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `\t\t\t\t\t\theader ${name} \`${value}\``)
    .join('\n')
