import { grouped } from '../text/amounts.ts'
import { printable, quote, quotePath } from '../text/printable.ts'
import type { Diagnostic, Place, Related, Severity } from './diagnostic.ts'

const codePoint = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/** Where each kind of file belongs. */
const places: Readonly<Record<string, string>> = {
  profile: 'members/<username>/profile.yaml',
  shot: 'members/<username>/shots/<any name>.yaml',
  site: 'site.yaml, beside members',
}

/** A hint that comes from the schema of the value, or from the value itself. */
const advised = ({ advice }: { advice: string }): string => advice

type UnknownHost = {
  readonly value: string
  /** The host that it most likely stands for; the value itself if none is near. */
  readonly meant: string
  /** What to do instead of naming that host. */
  readonly instead?: string | undefined
  /** Every host that has a place here. */
  readonly known: readonly string[]
}

/**
 * All messages in one table, so that they can be read side by side. A message says what is wrong: lower case, no
 * final period, values quoted. A hint says what to write instead, with an example.
 */
export const messages = {
  // the tree
  'missing-site': {
    severity: 'error',
    message: () => 'the site has no site.yaml',
    hint: () => 'add a file site.yaml to the content folder with at least: base_url: https://api.example.com',
  },
  'mass-removal': {
    severity: 'error',
    message: ({ removed, published }: { removed: number; published: number }) =>
      `this build would remove ${removed} of the ${published} members of the snapshot`,
    hint: () =>
      'look whether all of the content is here, as after a half checkout; if they are to go, add --allow-removal',
  },
  'missing-profile': {
    severity: 'error',
    message: ({ username }: { username: string }) => `the member ${quote(username)} has no profile.yaml`,
    hint: () => 'add a profile.yaml with at least an id and a name, or remove the folder',
  },
  'twin-files': {
    severity: 'error',
    message: ({ name, twin }: { name: string; twin: string }) =>
      `${quote(name)} stands beside ${quote(twin)}: only one of them can count`,
    hint: () => 'keep one of the two files',
  },
  'no-members': {
    severity: 'error',
    message: () => 'the site has no members',
    hint: () => 'add a member: a folder members/<username> with a profile.yaml in it',
  },
  'stray-yaml': {
    severity: 'error',
    message: ({ name }: { name: string }) =>
      `${quote(name)} is not where Shotpress looks, so it would be ignored`,
    hint: ({ target }: { name: string; target?: string | undefined }) =>
      target === undefined
        ? 'a profile is members/<username>/profile.yaml, a shot is members/<username>/shots/<any name>.yaml'
        : `move it to ${quotePath(target)}`,
  },
  'stray-folder': {
    severity: 'error',
    message: ({ name }: { name: string }) =>
      `the folder ${quote(name)} is not where Shotpress looks, so what is in it would be ignored`,
    hint: ({ target }: { name: string; target: string }) => `move what is in it to ${quotePath(target)}`,
  },
  'wrong-ending': {
    severity: 'error',
    message: ({ name }: { name: string }) => `${quote(name)} doesn't end in .yaml, so it would be ignored`,
    hint: ({ meant }: { name: string; meant: string }) =>
      `rename it to ${quotePath(meant)}, or remove it if it is a copy`,
  },
  'symbolic-link': {
    severity: 'error',
    message: () => 'this is a symbolic link, and links are never followed',
    hint: () => 'put the file or folder itself here',
  },
  'git-repository': {
    severity: 'error',
    message: () => 'this folder is a git repository without a work tree, and git would believe it',
    hint: () => 'remove HEAD, config, objects and refs from it, and look at who added them',
  },
  'not-a-file': {
    severity: 'error',
    message: ({ is }: { is: 'file' | 'folder' | 'other' }) =>
      is === 'other'
        ? 'this is neither a file nor a folder'
        : `this is a ${is}, and a ${is === 'file' ? 'folder' : 'file'} belongs here`,
    hint: ({ is }) =>
      is === 'file'
        ? 'replace it by a folder that holds a folder for each member'
        : 'put an ordinary YAML file here, or remove it',
  },
  'bad-file-name': {
    severity: 'error',
    message: ({ name }: { name: string }) => `the file name ${quote(name)} is not UTF-8`,
    hint: () => 'rename the file, for example with letters a to z, digits and dashes',
  },
  'bad-username': {
    severity: 'error',
    message: ({ value }: { value: string }) => `${quote(value)} can't be a username`,
    hint: ({ advice }: { advice?: string | undefined }) =>
      advice ??
      'use 1 to 64 of A-Z a-z 0-9 . _ -, beginning and ending with a letter or digit, without ".." and not a Windows device name (con, nul, com1, …)',
  },
  'untidy-username': {
    severity: 'warning',
    message: ({ username }: { username: string }) => `the username ${quote(username)} ends with a dash`,
    hint: () => 'end new usernames with a letter or digit; keep this one if clients already ask for it',
  },
  'username-clash': {
    severity: 'error',
    message: ({ username, other }: { username: string; other: string }) =>
      `the usernames ${quote(username)} and ${quote(other)} differ in upper and lower case only`,
    hint: () => 'rename one of the folders',
  },

  // the file
  'not-utf8': {
    severity: 'error',
    message: ({ byte }: { byte: number }) =>
      `the file is not UTF-8 text: it holds the byte ${byte.toString(16).toUpperCase().padStart(2, '0')} here`,
    hint: () => 'save it again with the encoding UTF-8',
  },
  'too-large': {
    severity: 'error',
    message: ({ bytes, limit }: { bytes: number; limit: number }) =>
      `the file has ${bytes} bytes, more than the ${limit} allowed`,
    hint: () => 'a file holds one profile or one shot; look for what was pasted in by mistake',
  },

  // the YAML
  'yaml-syntax': {
    severity: 'error',
    message: ({ problem }: { problem: string }) => `this is not YAML: ${problem}`,
    hint: ({ advice }: { problem: string; advice?: string | undefined }) =>
      advice ?? 'write "key: value" on each line; put text with special characters in double quotes',
  },
  'too-deep': {
    severity: 'error',
    message: () => 'lists and keys are nested too deeply',
    hint: () => 'nothing in a profile or a shot needs more than three levels',
  },
  'too-many-values': {
    severity: 'error',
    message: ({ limit }: { limit: number }) =>
      `up to here there are more than ${grouped(limit)} keys, values and marks such as "-" and ","`,
    hint: () => 'a profile or a shot has a few hundred: keep what belongs to it, and remove the rest',
  },
  'multiple-documents': {
    severity: 'error',
    message: () => 'a second YAML document begins here',
    hint: ({ empty, key }: { empty: boolean; key?: string | undefined }) =>
      empty
        ? 'remove this line: one file is one document'
        : key !== undefined
          ? `move the text below into a key: ${key}: |`
          : 'one file holds one profile or one shot; move what follows to a file of its own',
  },
  'duplicate-key': {
    severity: 'error',
    message: ({ key }: { key: string }) => `the key ${quote(key)} is given twice`,
    hint: () => 'keep one of the two',
  },
  'bad-key': {
    severity: 'error',
    message: () => 'a key must be plain text',
    hint: ({ name }: { name: string }) =>
      name === '' ? 'write it as "name: value"' : `write it without brackets: ${printable(name)}`,
  },
  'bad-tag': {
    severity: 'error',
    message: ({ tag }: { tag: string }) =>
      /^!!(?:str|map|seq)$/.test(tag)
        ? `the tag ${quote(tag)} doesn't fit what follows`
        : `the tag ${quote(tag)} is not allowed`,
    hint: ({ line }: { tag: string; line?: string | undefined }) =>
      line === undefined
        ? 'remove it, as every value is read as text; put text that begins with "!" in quotes'
        : `if it belongs to the text, write ${printable(line)}; else remove it, as every value is read as text`,
  },
  'merge-key': {
    severity: 'error',
    message: () => 'merge keys (<<) are not supported',
    hint: () => 'write the keys out',
  },
  'unknown-alias': {
    severity: 'error',
    message: ({ name }: { name: string }) => `the alias ${quote(`*${name}`)} has no anchor before it`,
    hint: ({ name }: { name: string }) =>
      `if the star belongs to the text, put all of the text in quotes: "*${quote(name).slice(1, -1)}"; else give the value to repeat the anchor &${quote(name).slice(1, -1)}`,
  },
  'too-many-aliases': {
    severity: 'error',
    message: () => 'aliases make this file too large, or go round in a circle',
    hint: () => 'write the values out',
  },
  'bad-character': {
    severity: 'error',
    message: ({ character }: { character: string }) =>
      /^U\+/.test(character)
        ? `text can't hold the character ${character}`
        : `text can't hold the character ${codePoint(character)} as it is`,
    hint: ({ character }: { character: string }) =>
      /^U\+/.test(character)
        ? 'remove it'
        : `remove it, or write \\u${codePoint(character).slice(2)} in its place, with the text in double quotes`,
  },

  // one file against its schema
  'wrong-type': {
    severity: 'error',
    message: ({ key, wanted, found }: { key: string; wanted: string; found: string }) =>
      `${key === '' ? 'the file' : quote(key)} must be ${wanted}, not ${found}`,
    hint: advised,
  },
  'unknown-key': {
    severity: 'error',
    message: ({ key }: { key: string }) => `unknown key ${quote(key)}`,
    hint: ({
      suggestion,
      given,
      known,
      whole,
      line,
    }: {
      key: string
      suggestion?: string | undefined
      /** Whether the suggested key is there already. */
      given?: boolean | undefined
      known: readonly string[]
      /** The line above, if this one goes on with its text. */
      whole?: string | undefined
      /** What to do with this line, if that is known. */
      line?: string | undefined
    }) => {
      if (line !== undefined) return line
      if (suggestion === undefined) {
        const keys = `${whole === undefined ? 'remove it, with its value; ' : ''}the keys here are ${known.join(', ')}`
        return whole === undefined ? keys : `if it goes on with the text above, write ${whole}; ${keys}`
      }
      return `did you mean ${quote(suggestion)}?${given ? ' It is here already: remove one of the two' : ''}`
    },
  },
  'wrong-file': {
    severity: 'error',
    message: ({ is, wanted }: { is: string; wanted: string }) =>
      `this reads as a ${is}, and a ${wanted} belongs here`,
    hint: ({ is }: { is: string; wanted: string }) => `move it to ${places[is]}`,
  },
  'missing-key': {
    severity: 'error',
    message: ({ key }: { key: string }) => `the key ${quote(key)} is missing`,
    hint: ({ example, given }: { key: string; example: string; given?: boolean | undefined }) =>
      given ? `write its value on its line, such as: ${example}` : `add a line such as: ${example}`,
  },
  'no-value': {
    severity: 'error',
    message: ({ sign }: { sign: string }) =>
      sign === '#'
        ? 'nothing is left of this value: "#" after a space begins a comment'
        : 'nothing is left of this value: "&" gives a name to what follows',
    hint: ({ better }: { sign: string; better: string }) => `write ${better}`,
  },
  'empty-file': {
    severity: 'error',
    message: () => 'the file is empty',
    hint: ({ example }: { example: string }) => `write at least, each on a line of its own: ${example}`,
  },
  blank: {
    severity: 'error',
    message: ({ key }: { key: string }) => `${quote(key)} is blank`,
    hint: advised,
  },
  'bad-id': {
    severity: 'error',
    message: ({ value }: { value: string }) => `${quote(value)} is not an id`,
    hint: advised,
  },
  'bad-count': {
    severity: 'error',
    message: ({ value }: { value: string }) => `${quote(value)} is not a count`,
    hint: advised,
  },
  'bad-url': {
    severity: 'error',
    message: ({ value }: { value: string }) => `${quote(value)} is not a web address`,
    hint: advised,
  },
  'bad-asset': {
    severity: 'error',
    message: ({ value, problem }: { value: string; problem: string }) =>
      `${quote(value)} can't be used as the address of an image or file: ${problem}`,
    hint: advised,
  },
  'bad-word': {
    severity: 'error',
    message: ({ value }: { value: string }) =>
      value.trim() === '' ? 'a word in the list is empty' : `${quote(value)} is not one word`,
    hint: advised,
  },
  'bad-timestamp': {
    severity: 'error',
    message: ({ value, problem }: { value: string; problem: string }) =>
      `${quote(value)} is not a date: ${problem}`,
    hint: advised,
  },
  'bad-token': {
    severity: 'error',
    message: ({ value }: { value: string }) => `${quote(value)} is not a token`,
    hint: advised,
  },
  'bad-draft': {
    severity: 'error',
    message: ({ value }: { value: string }) => `draft is ${quote(value)}`,
    hint: advised,
  },
  'bad-boolean': {
    severity: 'error',
    message: ({ key, value }: { key: string; value: string }) => `${key} is ${quote(value)}`,
    hint: advised,
  },
  'bad-base': {
    severity: 'error',
    message: ({ value, problem }: { value: string; problem: string }) =>
      `${quote(value)} can't be a base address: ${problem}`,
    hint: advised,
  },
  'bad-gallery': {
    severity: 'error',
    message: ({ key, value, problem }: { key: string; value: string; problem: string }) =>
      `${quote(value)} can't be "${key}" of the gallery: ${problem}`,
    hint: advised,
  },
  'unknown-host': {
    severity: 'error',
    message: ({ value, meant, instead }: UnknownHost) =>
      instead !== undefined && meant === value
        ? `the host ${quote(value)} reads no files from the snapshot, so the build has none to add for it`
        : `the build has no files for the host ${quote(value)}`,
    hint: ({ value, meant, instead, known }: UnknownHost) =>
      instead !== undefined
        ? `leave it out of hosts${meant === value ? '' : `, also as ${quote(meant)}`}: ${instead}`
        : meant !== value
          ? `did you mean ${quote(meant)}?`
          : `hosts takes ${known.join(', ')}; other hosts need no entry here: npm run host lists them, npm run host -- NAME prints a config`,
  },
  'unknown-encoding': {
    severity: 'error',
    message: ({ value }: { value: string }) => `there is no encoding ${quote(value)}`,
    hint: () => 'precompress takes br, gzip or both: precompress: [br, gzip]',
  },
  'unknown-scheme': {
    severity: 'error',
    message: ({ value }: { value: string }) => `the schemes can't be ${quote(value)}`,
    hint: () => 'write schemes: [https], or schemes: [https, http]',
  },

  'not-looked-at': {
    severity: 'error',
    message: ({ mebibytes }: { mebibytes: number }) =>
      `up to this member, ${mebibytes} MiB of large files are broken, and nothing after that was looked at`,
    hint: () => 'fix those files first, then check again',
  },
  'more-problems': {
    severity: 'error',
    message: ({ count }: { count: number }) => `${count} more problems in this file are not shown`,
    hint: () => 'fix the first ones, then check again',
  },

  // rules across keys and files
  'duplicate-shot-id': {
    severity: 'error',
    message: ({ id }: { id: string }) => `the shot id ${quote(id)} is taken`,
    hint: ({ free }: { id: string; free?: string | undefined }) =>
      free === undefined
        ? 'every shot of the site has an id of its own; give this one a free number'
        : `write a free number: id: ${free}`,
  },
  'duplicate-member-id': {
    severity: 'error',
    message: ({ id }: { id: string }) => `the member id ${quote(id)} is taken`,
    hint: ({ free }: { id: string; free?: string | undefined }) =>
      free === undefined
        ? 'every member has an id of its own; give this one a free number'
        : `write a free number: id: ${free}`,
  },
  'duplicate-token': {
    severity: 'error',
    message: ({ token }: { token: string }) => `the token ${quote(token)} is taken`,
    hint: () => 'every shot has a token of its own; leave token_id out to have one made from the id',
  },
  'duplicate-name': {
    severity: 'error',
    message: ({ name }: { name: string }) => `the name ${quote(name)} is taken`,
    hint: () =>
      'remove it, or write another: an alias is unlike every username and every other alias, in whatever letter case',
  },
  'reserved-name': {
    severity: 'error',
    message: ({ name }: { name: string }) => `the name ${quote(name)} is reserved`,
    hint: () => 'choose another one, or take it out of reserved in site.yaml',
  },
  'duplicate-project': {
    severity: 'error',
    message: ({ id }: { id: string }) => `the project ${quote(id)} is listed twice`,
    hint: () => 'keep one of the two',
  },
  'unknown-project': {
    severity: 'error',
    message: ({ id }: { id: string }) => `the member has no project ${quote(id)}`,
    hint: ({ suggestion }: { id: string; suggestion?: string | undefined }) =>
      suggestion === undefined
        ? 'list the project in profile.yaml under projects, or write id_project: 0'
        : `did you mean ${quote(suggestion)}? if not, list the project in profile.yaml under projects`,
  },
  'count-too-low': {
    severity: 'error',
    message: ({ key, value, counted }: { key: string; value: string; counted: number }) =>
      `${key} is ${value}, but the content holds ${counted}`,
    hint: ({ key, counted }: { key: string; value: string; counted: number }) =>
      `write ${key}: ${counted} or more, or leave it out to have it counted`,
  },

  // pictures
  'picture-missing': {
    severity: 'error',
    message: ({ path }: { path: string }) => `there is no picture ${quote(path)}`,
    hint: ({ folder, suggestion }: { path: string; folder: string; suggestion?: string | undefined }) =>
      suggestion === undefined
        ? `put the file into the folder ${quotePath(folder)}, or write the address of a picture`
        : `did you mean ${quote(suggestion)}? Capital and small letters count`,
  },
  'picture-kind': {
    severity: 'error',
    message: ({ path, is }: { path: string; is: string }) => `${quote(path)} is ${is}`,
    hint: advised,
  },
  'picture-broken': {
    severity: 'error',
    message: ({ path, is }: { path: string; is: string }) => `the picture ${quote(path)} is broken: ${is}`,
    hint: advised,
  },
  'picture-too-large': {
    severity: 'error',
    message: ({ path, is }: { path: string; is: string }) => `the picture ${quote(path)} is too large: ${is}`,
    hint: advised,
  },
  'picture-pointer': {
    severity: 'error',
    message: ({ path, is }: { path: string; is: string }) => `${quote(path)} is no picture: ${is}`,
    hint: advised,
  },
  'picture-location': {
    severity: 'error',
    message: ({ path, place }: { path: string; place: string }) =>
      `the picture ${quote(path)} says where it was taken (${place})`,
    hint: () =>
      'run npm run check -- --fix, which takes that out of the file, before you commit it: a repository forgets nothing',
  },
  'picture-personal': {
    severity: 'warning',
    message: ({ path, tells }: { path: string; tells: string }) =>
      `the picture ${quote(path)} tells on people: it holds ${tells}`,
    hint: () =>
      'visitors of the API never get that, but whoever sees the repository does: npm run check -- --fix takes it out of the file',
  },
  'picture-large': {
    severity: 'warning',
    message: ({ path, bytes }: { path: string; bytes: number }) =>
      `the picture ${quote(path)} has ${(bytes / 1024 / 1024).toFixed(1)} MiB, which takes long to load`,
    hint: () => 'export it smaller: 2,000 pixels in width are enough, and have some 500 KB as WebP or JPEG',
  },
  'picture-unused': {
    severity: 'warning',
    message: () => 'no key names this picture, so it is not published',
    hint: ({ path }: { path: string }) =>
      path === ''
        ? "move it into a member's folder and name it in a file there, or remove it"
        : `write image: ${quote(path).slice(1, -1)} in a file beside it, or remove it`,
  },

  // warnings
  'cut-by-comment': {
    severity: 'warning',
    message: ({ lost }: { lost: string }) =>
      `${quote(lost)} is not part of the value: ${lost.startsWith('#') ? '"#" after a space begins a comment' : '"&" gives a name to what follows'}`,
    hint: ({ line, lost }: { line?: string | undefined; lost: string }) =>
      `${line === undefined ? '' : `if it belongs to the value, write ${line}; `}${lost.startsWith('&') ? 'else remove it' : `if it is a comment, write # ${quote(lost.slice(1)).slice(1, -1)}`}`,
  },
  'unlikely-value': {
    severity: 'warning',
    message: ({ value, why }: { value: string; why: string }) =>
      `${quote(value)} may not be what you mean: ${why}`,
    hint: advised,
  },
  'port-in-base-url': {
    severity: 'warning',
    message: ({ value }: { value: string }) => `${quote(value)} has a port, which can't serve both schemes`,
    hint: () => 'give assets a base for each scheme: assets: { https: "https://…", http: "http://…" }',
  },
  'host-limit': {
    severity: 'warning',
    message: ({ host, what, count, limit }: { host: string; what: string; count: number; limit: number }) =>
      `${count} ${what} are more than ${host} takes (${limit})`,
    hint: ({ host }: { host: string; what: string; count: number; limit: number }) =>
      `see the section on ${host} in docs/hosting/managed.md`,
  },
} as const satisfies Record<string, Wording>

export type Code = keyof typeof messages

/** The arguments of a message and its hint, by code; `undefined` where the wording never changes. */
export type Args<C extends Code> = [Told<C>] extends [never] ? undefined : UnionToIntersection<Told<C>>

/** Makes a diagnostic of a code; all wording comes from the table above. */
export const diagnose = <C extends Code>(
  code: C,
  place: Place,
  args: Args<C>,
  related: readonly Related[] = [],
): Diagnostic => {
  const { severity, message, hint } = messages[code] as Wording
  return {
    severity,
    code,
    message: message(args),
    file: place.file,
    line: place.line,
    column: place.column,
    endLine: place.endLine,
    endColumn: place.endColumn,
    hint: hint(args),
    ...(related.length > 0 && { related }),
  }
}

type Wording = {
  readonly severity: Severity
  // biome-ignore lint/suspicious/noExplicitAny: each entry names its own arguments
  readonly message: (args: any) => string
  // biome-ignore lint/suspicious/noExplicitAny: each entry names its own arguments
  readonly hint: (args: any) => string
}

type Told<C extends Code> = Exclude<Parameters<(typeof messages)[C]['message' | 'hint']>[0], undefined>

type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (u: infer I) => void
  ? I
  : never
