import { isDeviceName } from '../../content/username.ts'

/** The longest slug, in characters. */
const longest = 60

/**
 * A text as a part of a file name: marks dropped, lower case, one `-` for each run of other characters than a-z and
 * 0-9. Empty if nothing is left, as of a title in another script.
 */
export const slug = (text: string): string =>
  withoutMarks(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, longest)
    .replace(/-$/, '')

const withoutMarks = (text: string): string =>
  /^[ -~]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')

/**
 * The name of a new shot's file in a folder that has these names already: `<slug>.yaml`; if that is taken or there is
 * no slug, `<slug>-<id>.yaml` or `<id>.yaml`.
 */
export const shotFileName = (
  { id, title }: { readonly id: string; readonly title: string },
  present: Iterable<string>,
): string => {
  const taken = new Set(Array.from(present, (name) => stem(name.toLowerCase())))
  const isFree = (name: string) => !taken.has(name) && !isDeviceName(name)
  const short = slug(title)
  if (short !== '' && isFree(short)) return `${short}.yaml`
  const long = short === '' ? id : `${short}-${id}`
  let name = long
  for (let count = 2; !isFree(name); count++) name = `${long}-${count}`
  return `${name}.yaml`
}

/** What counts as taken: two files that differ only in their endings would confuse people. */
const stem = (name: string): string => name.replace(/\.ya?ml$/, '')
