import * as api from '../api/routes.ts'
import { literal } from './lines.ts'

// The route table as engines need it, which look at a request's path as a whole.

export type Headers = Readonly<Record<string, string>>

/** Headers as lists of them are written in JSON. */
export const keyValues = (headers: Headers) =>
  Object.entries(headers).map(([key, value]) => ({ key, value }))

/** Every path that has a file, by how it is found. The members' paths come first. */
export const pathRules = (basePath: string) =>
  [true, false].flatMap((variants) =>
    [true, false].map((index) => {
      const alike = [membersPaths, ...api.siteRoutes].filter(
        (route) => route.variants === variants && route.index === index,
      )
      const path = `^${literal(basePath)}(${alike.map(({ pattern }) => pattern).join('|')})/?`
      return {
        /**
         * The paths as clients send them (nothing decoded, without the query), as a regular
         * expression that PCRE, RE2 and JavaScript read alike. Group 1 is the path that the
         * snapshot knows: without `basePath` and a slash at the end.
         */
        pattern: `${path}$`,
        /** The same for paths that a query may follow. */
        withQuery: `${path}(?:\\?|$)`,
        /** Whether the file is in the folder of the request's scheme. */
        variants,
        /** What follows the path in the file's: `/index.json`, or nothing. */
        ending: index ? `/${api.indexFile}` : '',
      }
    }),
  )

/** Request paths whose files are found in the same way. */
export type PathRule = ReturnType<typeof pathRules>[number]

const suffixes = api.routes.map(({ suffix }) => literal(suffix)).filter(Boolean)
const membersPaths = {
  pattern: `${literal(api.prefix)}${api.usernamePattern}(?:${suffixes.join('|')})?`,
  variants: true,
  index: true,
}

/** The paths of members, and the files that answer them over https. */
export const memberFiles = (usernames: readonly string[]) =>
  usernames.flatMap((username) =>
    api.routes.map((route) => ({
      path: api.requestPath(route, username),
      file: api.filePath(route, 'https', username),
    })),
  )

/** The rules as an array of JavaScript, whose regular expressions stand as they are. */
export const rulesAsCode = (basePath: string): string => `[
${pathRules(basePath).map(ruleAsCode).join('\n')}
]`

const ruleAsCode = ({ pattern, variants, ending }: PathRule) =>
  `  { path: ${new RegExp(pattern)}, ${JSON.stringify({ variants, ending }).slice(1)},`

/**
 * Files that are not sent as the JSON of the API is, by how their names end; of JSON that is
 * the whole name. `atEnd` is a pattern of it.
 */
export const otherTypes = api.siteRoutes
  .filter(({ headers }) => headers !== api.userRoute.headers)
  .map(({ path, pattern, headers }) => {
    const isJson = headers['Content-Type'] === api.contentType
    const ending = path.slice(isJson ? 1 : path.lastIndexOf('.'))
    return { ending, atEnd: `${literal(ending)}$`, isJson, pattern, headers }
  })

/** The folder of a scheme with a slash before it; `''` is the snapshot's root. */
export const folderOf = (variant: api.Variant): string =>
  api.variantFolder[variant] && `/${api.variantFolder[variant]}`

/** The headers that depend on the status, for engines that choose them by it. */
export const headersByStatus = (varies: boolean): ReadonlyMap<number, Headers> => {
  const ok = varies ? { ...api.okHeaders, Vary: 'Accept-Encoding' } : api.okHeaders
  return new Map<number, Headers>([
    [200, ok],
    [api.preflight.status, api.preflight.headers],
    [304, ok],
    ...Object.values(api.errors).map(({ status, headers }) => [status, headers] as const),
  ])
}
