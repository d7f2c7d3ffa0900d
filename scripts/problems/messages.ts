import { grouped } from '../text/amounts.ts'
import { quote } from '../text/printable.ts'
import type { Diagnostic, Place, Related } from './diagnostic.ts'
import { type ArgsOf, error, warning, worded } from './wording.ts'

/** Where each kind of file belongs. */
const places: Readonly<Record<string, string>> = {
  profile: 'members/<username>/profile.yaml',
  shot: 'members/<username>/shots/<any name>.yaml',
  site: 'site.yaml, beside members',
}

/** What a username must be, in words that follow a verb. */
export const usernameRule =
  '1 to 64 of A-Z a-z 0-9 . _ -, beginning and ending with a letter or digit, without ".." and not a Windows device name (con, nul, com1, …)'

/** What takes a value from its key, by its first character. */
const cutBy = (sign: string): string => {
  if (sign.startsWith('#')) return '"#" after a space begins a comment'
  return sign.startsWith('&')
    ? '"&" gives a name to what follows'
    : '"|" or ">" begins a text on the lines below'
}

/** A value as it stands in a line to write: printable, shortened. */
const bare = (value: string): string => quote(value).slice(1, -1)

/** What to do with a text that goes below `|`. */
export const indentText =
  'begin each line of the text below it with two spaces, the first one too'

/** What to do where an id is taken. */
const freeNumber = [
  'write a free number: id: {free}; or remove "{copy}", if nobody needs that copy',
  'write a free number in the newer of the two: id: {free}',
] as const

/**
 * Whether a second document begins within a text in lines, is empty, or is a text that
 * belongs to a key.
 */
type DocumentArgs = { isWithin: boolean; empty: boolean; key?: string | undefined }

/**
 * All messages in one table, so that they can be read side by side. A message says what is
 * wrong: lower case, no final period, values quoted. A hint says what to write instead, with
 * an example.
 */
export const messages = {
  // the tree
  'missing-site': error(
    'the site has no site.yaml',
    'add a file site.yaml to the content folder with at least: base_url: https://api.example.com',
  ),
  'mass-removal': error(
    'this build would remove {removed} of the {published} members of the snapshot',
    'look whether all of the content is here, as after a half checkout; if they are to go, add --allow-removal',
  ),
  'missing-profile': error(
    'the member "{username}" has no profile.yaml',
    ({ isEmpty }: { username: string; isEmpty: boolean }) =>
      `add a profile.yaml with at least an id and a name${isEmpty ? ', or remove the folder' : ''}`,
  ),
  'misplaced-member': error(
    'the member "{username}" lies outside the folder that "groups" in site.yaml gives it',
    'move it to "{target}"; npx shotpress check --fix does it',
  ),
  'twin-files': error(
    '"{name}" stands beside "{twin}": only one of them can count',
    'keep one of the two files',
  ),
  'no-members': error(
    'the site has no members',
    'add a member: a folder members/<username> with a profile.yaml in it',
  ),
  'stray-yaml': error('"{name}" is not where Shotpress looks, so it would be ignored', [
    'move it to "{target}"',
    'move it to "{shot}", with the pictures that it names',
    'compare it with "{twin}", which is there already, and remove one of the two',
    'give each of the shots in it a file of its own in "{shots}"',
    'a profile is members/<username>/profile.yaml, a shot is members/<username>/shots/<any name>.yaml',
  ]),
  'stray-folder': error(
    'the folder "{name}" is not where Shotpress looks, so what is in it would be ignored',
    'move what is in it to "{target}"',
  ),
  'wrong-ending': error(`"{name}" doesn't end in .yaml, so it would be ignored`, [
    'compare it with "{twin}", which is there already, and remove one of the two',
    'save it as plain text, with the encoding UTF-8, under the name "{plain}"',
    'rename it to "{front}", and remove the line "---" below its keys, or remove it if it is a copy',
    'rename it to "{meant}", or remove it if it is a copy',
  ]),
  'symbolic-link': error(
    'this is a symbolic link, and links are never followed',
    'put the file or folder itself here',
  ),
  'git-repository': error(
    'this folder is a git repository without a work tree, and git would believe it',
    'remove HEAD, config, objects and refs from it, and look at who added them',
  ),
  'not-a-file': error(
    ({ is }: { is: 'file' | 'folder' | 'other' }) =>
      is === 'other'
        ? 'this is neither a file nor a folder'
        : `this is a ${is}, and a ${is === 'file' ? 'folder' : 'file'} belongs here`,
    ({ is }: { is: string }) =>
      is === 'file'
        ? 'replace it by a folder that holds a folder for each member'
        : 'put an ordinary YAML file in its place',
  ),
  'bad-file-name': error(
    'the file name "{name}" is not UTF-8',
    'rename the file, for example with letters a to z, digits and dashes',
  ),
  'bad-username': error(`"{value}" can't be a username`, ['{advice}', `use ${usernameRule}`]),
  'untidy-username': warning(
    'the username "{username}" ends with a dash',
    'end new usernames with a letter or digit; keep this one if clients already ask for it',
  ),
  'username-clash': error(
    'the usernames "{username}" and "{other}" differ in upper and lower case only',
    'rename one of the folders',
  ),

  // the file
  'not-utf8': error(
    'the file is not UTF-8 text: it holds the byte {byte} here',
    'save it again with the encoding UTF-8',
  ),
  'not-text': error(
    'the file is {is}, and no plain text',
    'save it as plain text, with the encoding UTF-8, under the same name; of a page on GitHub, save what "Raw" shows',
  ),
  'too-large': error(
    'the file has {bytes} bytes, more than the {limit} allowed',
    'a file holds one profile or one shot; look for what was pasted in by mistake',
  ),

  // the YAML
  'yaml-syntax': error('this is not YAML: {problem}', [
    '{advice}',
    'write "key: value" on each line; put text with special characters in double quotes',
  ]),
  'too-deep': error(
    'lists and keys are nested too deeply',
    'nothing in a profile or a shot needs more than three levels',
  ),
  'too-many-values': error(
    ({ limit }: { limit: number }) =>
      `up to here there are more than ${grouped(limit)} keys, values and marks such as "-" and ","`,
    'a profile or a shot has a few hundred: keep what belongs to it, and remove the rest',
  ),
  'multiple-documents': error(
    'a second YAML document begins here',
    ({ empty, key, isWithin }: DocumentArgs) => {
      if (isWithin) return 'indent this line by two spaces: it stands within a text'
      if (empty) return 'remove this line: one file is one document'
      return key === undefined
        ? 'one file holds one profile or one shot; move what follows to a file of its own'
        : `remove this line, and in front of the text below write ${key}: | on a line, and two spaces before each of its lines`
    },
  ),
  'duplicate-key': error('the key "{key}" is given twice', [
    '{entry}',
    'keep one of the two',
  ]),
  'bad-key': error('a key must be plain text', [
    'a template was to fill in {template}: write what belongs there',
    `if it goes on with the text above, write {text}: | and ${indentText}; else remove it`,
    'write it without brackets: {name}',
    'write it as "name: value"',
  ]),
  'bad-tag': error(
    ({ tag }: { tag: string }) =>
      `the tag ${quote(tag)} ${/^!!(?:str|map|seq)$/.test(tag) ? "doesn't fit what follows" : 'is not allowed'}`,
    [
      'if it belongs to the text, {advice}; else remove it, as every value is read as text',
      'remove it, as every value is read as text; put text that begins with "!" in quotes',
    ],
  ),
  'merge-key': error('merge keys (<<) are not supported', 'write the keys out'),
  'unknown-alias': error(
    ({ name }: { name: string }) => `the alias "*${bare(name)}" has no anchor before it`,
    ({ name }: { name: string }) =>
      `if the star belongs to the text, put all of the text in quotes: "*${bare(name)}"; else give the value to repeat the anchor &${bare(name)}`,
  ),
  'too-many-aliases': error(
    'aliases make this file too large, or go round in a circle',
    'write the values out',
  ),
  'bad-character': error(
    [
      "text can't hold the character U+{escape} as it is",
      "text can't hold the character U+{code}",
    ],
    [
      'remove it, or write \\u{escape} in its place, with the text in double quotes',
      'remove it',
    ],
  ),

  // one file against its schema
  'wrong-type': error(
    ['"{key}" must be {wanted}, not {found}', 'the file must be {wanted}, not {found}'],
    '{advice}',
  ),
  'unknown-key': error('unknown key "{key}"', [
    '{line}',
    'did you mean "{given}"? It is here already: {joined}, or remove one of the two',
    'did you mean "{given}"? It is here already: remove one of the two',
    'did you mean "{suggestion}"? If so, {form}',
    'did you mean "{suggestion}"?',
    'if that is what it says, write {perhaps}; else remove it; the keys here are {known}',
    `if it goes on with the text above, write {text}: | and ${indentText}; the keys here are {known}`,
    'remove it, with its value, or say it in {prose}; the keys here are {known}',
    'remove it, with its value; the keys here are {known}',
  ]),
  'wrong-file': error(
    'this reads as a {is}, and a {wanted} belongs here',
    ({ is, wanted }: { is: string; wanted: string }) =>
      `move it to ${places[is]}; if it was put in the place of a ${wanted}, git still has that`,
  ),
  'missing-key': error('the key "{key}" is missing', [
    '{line}',
    'write its value on its line, such as: {given}',
    'add a line such as: {example}',
  ]),
  'no-value': error(
    ({ sign }: { sign: string }) => `nothing is left of this value: ${cutBy(sign)}`,
    '{advice}',
  ),
  'empty-file': error('the file is empty', [
    'remove the "#" in front of each line that should count, as in line {comment}',
    'write at least, each on a line of its own: {example}; or remove the file',
  ]),
  blank: error('"{key}" is blank', '{advice}'),
  'bad-id': error('"{value}" is not an id', '{advice}'),
  'bad-count': error('"{value}" is not a count', '{advice}'),
  'bad-url': error('"{value}" is not a web address', '{advice}'),
  'bad-asset': error(
    `"{value}" can't be used as the address of an image or file: {problem}`,
    '{advice}',
  ),
  'bad-word': error(['"{word}" is not one word', 'a word in the list is empty'], '{advice}'),
  'bad-timestamp': error('"{value}" is not a date: {problem}', '{advice}'),
  'bad-token': error('"{value}" is not a token', '{advice}'),
  'bad-draft': error('draft is "{value}"', '{advice}'),
  'bad-boolean': error('{key} is "{value}"', '{advice}'),
  'bad-groups': error('groups is "{value}"', '{advice}'),
  'bad-base': error(`"{value}" can't be a base address: {problem}`, '{advice}'),
  'bad-gallery': error(`"{value}" can't be "{key}" of the gallery: {problem}`, '{advice}'),
  'unknown-host': error('the build has no files for the host "{value}"', [
    'leave it out of hosts: {instead}',
    'did you mean "{near}"?',
    'hosts takes {known}; other hosts need no entry here: npx shotpress host lists them, npx shotpress host NAME prints a config',
  ]),
  'unknown-encoding': error(
    'there is no encoding "{value}"',
    'precompress takes br, gzip or both: precompress: [br, gzip]',
  ),
  'unknown-scheme': error(
    `the schemes can't be "{value}"`,
    'write schemes: [https], or schemes: [https, http]',
  ),

  'not-looked-at': error(
    'up to this member, {mebibytes} MiB of large files are broken, and nothing after that was looked at',
    'fix those files first, then check again',
  ),
  'more-problems': error(
    '{count} more problems in this file are not shown',
    'fix the first ones, then check again',
  ),

  // rules across keys and files
  'duplicate-shot-id': error('the shot id "{id}" is taken', freeNumber),
  'duplicate-member-id': error('the member id "{id}" is taken', freeNumber),
  'duplicate-token': error(
    'the token "{token}" is taken',
    'every shot has a token of its own; leave token_id out to have one made from the id',
  ),
  'duplicate-name': error('the name "{name}" is taken', [
    'remove the alias, whose address is then that of the other member, or rename the folder "{folder}"',
    'remove it, or write another: an alias is unlike every username and every other alias, in whatever letter case',
  ]),
  'reserved-name': error(
    'the name "{name}" is reserved',
    'choose another one, or take it out of reserved in site.yaml',
  ),
  'duplicate-project': error(
    'the project "{id}" is listed twice',
    'keep one of the two, or give one of them another id',
  ),
  'duplicate-owner': error('the account "{id}" is listed twice', 'keep one of the two'),
  'too-many-owners': error(
    'a member has at most {most} owners, and this is one more',
    'remove those who no longer look after this member',
  ),
  'unknown-project': error('the member has no project "{id}"', [
    'did you mean "{suggestion}"? if not, list the project in profile.yaml under projects',
    'its projects are {known}: write one of them, list yours in profile.yaml under projects, or write id_project: 0 for none',
    'list the project in profile.yaml under projects, or write id_project: 0',
  ]),
  'count-too-low': error(
    '{key} is {value}, but the content holds {counted}',
    'write {key}: {counted} or more, or leave it out to have it counted',
  ),

  // pictures
  'picture-missing': error('there is no picture "{path}"', [
    'did you mean "{spelling}"? Capital and small letters count',
    'did you mean "{suggestion}"? If not, put the file into the folder "{folder}"',
    'move "{from}" into the folder "{folder}"',
    'put the file into the folder "{folder}", or write the address of a picture',
  ]),
  'picture-kind': error('"{path}" is {is}', '{advice}'),
  'picture-broken': error('the picture "{path}" is broken: {is}', '{advice}'),
  'picture-too-large': error('the picture "{path}" is too large: {is}', '{advice}'),
  'picture-pointer': error('"{path}" is no picture: {is}', '{advice}'),
  'picture-location': error(
    'the picture "{path}" says where it was taken',
    'run npx shotpress check --fix, which takes that out of the file, before you commit it: a repository forgets nothing',
  ),
  'picture-personal': warning(
    'the picture "{path}" tells on people: it holds {tells}',
    'visitors of the API never get that, but whoever sees the repository does: npx shotpress check --fix takes it out of the file',
  ),
  'picture-large': warning(
    'the picture "{path}" has {mebibytes} MiB, which takes long to load',
    'export it smaller: 2,000 pixels in width are enough, and have some 500 KB as WebP or JPEG',
  ),
  'picture-unused': warning('no key names this picture, so it is not published', [
    "write image: ./{inShots} in a shot's file, or remove it",
    'write avatar: ./{path} in profile.yaml, move it into shots to name it there, or remove it',
    "move it into a member's folder and name it in a file there, or remove it",
  ]),

  // warnings
  'cut-by-comment': warning(
    ({ lost }: { lost: string }) => `${quote(lost)} is not part of the value: ${cutBy(lost)}`,
    ({ advice, lost }: { advice?: string | undefined; lost: string }) =>
      (advice === undefined ? '' : `if it belongs to the value, ${advice}; `) +
      (/^[&|>]/.test(lost)
        ? 'else remove it'
        : `if it is a comment, write # ${bare(lost.slice(1))}`),
  ),
  'unlikely-value': warning('"{value}" may not be what you mean: {why}', '{advice}'),
  'port-in-base-url': warning(
    `"{value}" has a port, which can't serve both schemes`,
    () =>
      'write schemes: [https], leave the port out, or give assets a base for each scheme: assets: { https: "https://…", http: "http://…" }',
  ),
  'host-limit': warning(
    '{count} {what} are more than {host} takes ({limit})',
    'see the section on {host} in docs/hosting/managed.md',
  ),
} as const

export type Code = keyof typeof messages

/** The values of a message and its hint, by code. */
export type Args<C extends Code> = ArgsOf<(typeof messages)[C]>

/** Makes a diagnostic of a code; all wording comes from the table above. */
export const diagnose = <C extends Code>(
  code: C,
  place: Place,
  args: Args<C>,
  related: readonly Related[] = [],
): Diagnostic => {
  const { severity } = messages[code]
  // a property behind a spread takes Node 20 ten times as long as one before it
  return {
    severity,
    code,
    ...(related.length > 0 && { related }),
    ...worded(messages[code], args),
    ...place,
  }
}
