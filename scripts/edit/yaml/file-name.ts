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

/** What a file's name takes from others: two files that differ only in their endings would confuse people. */
export const takenBy = (name: string): string => name.toLowerCase().replace(/\.ya?ml$/, '')

/**
 * The name of a new shot's file where these are {@link takenBy} others: `<slug>.yaml`; if that is taken or there is no
 * slug, `<slug>-<id>.yaml` or `<id>.yaml`.
 */
export const shotFileName = (
  { id, title }: { readonly id: string; readonly title: string },
  taken: ReadonlySet<string>,
): string => {
  const isFree = (name: string) => !taken.has(name) && !isDeviceName(name)
  const short = slug(title)
  if (short !== '' && isFree(short)) return `${short}.yaml`
  const long = short === '' ? id : `${short}-${id}`
  let name = long
  for (let count = 2; !isFree(name); count++) name = `${long}-${count}`
  return `${name}.yaml`
}
