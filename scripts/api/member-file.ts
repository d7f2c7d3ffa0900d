import {
  type Encoding,
  encodings,
  indexFile,
  prefix,
  type Route,
  routes,
  usernamePattern,
  type Variant,
  variantFolder,
  variants,
} from './routes.ts'

/** What a path below the snapshot's root says about a member's file. */
export type MemberFile = {
  readonly username: string
  readonly route: Route
  readonly variant: Variant
  readonly encoding: Encoding | undefined
}

/** The member's file at a path; `undefined` if the file is no member's. The inverse of `filePath`, encodings included. */
export const memberFileAt = (path: string): MemberFile | undefined => {
  const [, folder, username, suffix, ending] = pattern.exec(path) ?? []
  if (username === undefined) return undefined
  return {
    username,
    route: routes.find((route) => route.suffix === suffix)!,
    variant: variants.find((variant) => folderOf(variant) === folder)!,
    encoding: encodings.find((encoding) => encoding.suffix === ending)?.name,
  }
}

const folderOf = (variant: Variant): string => variantFolder[variant] && `${variantFolder[variant]}/`

const anyOf = (texts: readonly string[]): string => texts.map((text) => text.replaceAll('.', '\\.')).join('|')

const pattern = new RegExp(
  `^(${anyOf(variants.map(folderOf))})${prefix.slice(1)}(${usernamePattern})` +
    `(${anyOf(routes.map(({ suffix }) => suffix))})/${anyOf([indexFile])}` +
    `(${anyOf(['', ...encodings.map(({ suffix }) => suffix)])})$`,
)
