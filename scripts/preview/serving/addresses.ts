import fs from 'node:fs'
import path from 'node:path'
import { noShots } from '../../api/render.ts'
import {
  filePath,
  prefix,
  requestPath,
  routes,
  shotsRoute,
  type Variant,
  variants,
} from '../../api/routes.ts'
import { isUsername } from '../../content/username.ts'
import type { Ports } from './ports.ts'

/** Links to print: the pages over each scheme, then for each scheme an API address of an existing member. */
export const addresses = ({ ports, basePath, out }: Place): readonly string[] => {
  const username = memberToShow(out)
  const schemes = variants.toReversed()
  const origin = (scheme: Variant): string => `${scheme}://localhost:${ports[scheme]}`
  const pages = schemes.map((scheme) => `${origin(scheme)}/`)
  if (username === undefined) return pages
  return [
    ...pages,
    ...schemes.map((scheme, at) => `${origin(scheme)}${basePath}${requestPath(routes[at]!, username)}`),
  ]
}

type Place = { readonly ports: Ports; readonly basePath: string; readonly out: string }

/** The first member of a snapshot with shots, else the first; `undefined` if there is none. */
const memberToShow = (out: string): string | undefined => {
  const hasShots = (username: string): boolean => {
    const file = path.join(out, filePath(shotsRoute, 'https', username))
    return (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > noShots.length
  }
  try {
    const usernames = fs.readdirSync(path.join(out, prefix)).filter(isUsername).sort()
    return usernames.slice(0, enough).find(hasShots) ?? usernames[0]
  } catch {
    return undefined // not there, or not just now
  }
}

/** Members to look through. */
const enough = 100
