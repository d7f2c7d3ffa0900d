/** What a YAML file says: nothing but texts, lists and mappings. */
export type Data = string | readonly Data[] | Mapping

/**
 * Keys in the order of the file, but for those that look like array indices. No key is
 * inherited.
 */
export type Mapping = { readonly [key: string]: Data }

export const isMapping = (data: Data | undefined): data is Mapping =>
  typeof data === 'object' && !Array.isArray(data)

/** Data as a mapping; an empty one for whatever is none. */
export const mappingOf = (data: Data | undefined): Mapping => (isMapping(data) ? data : {})

/** Where a value stands in a file: keys, and positions in lists from 0. */
export type Path = readonly (string | number)[]

export const valueAt = (data: Data | undefined, path: Path): Data | undefined =>
  path.reduce<Data | undefined>((value, part) => (value as Mapping | undefined)?.[part], data)

type Entries = { [key: string]: Data }

/**
 * A mapping to fill. It inherits nothing, so that `__proto__`, `constructor` and the like are
 * keys as any other; unlike `Object.create(null)` it stays in V8's fast form.
 */
export const emptyMapping = (): Entries => new Bare()

const Bare = function Bare() {} as unknown as new () => Entries
Bare.prototype = Object.freeze(Object.create(null))
