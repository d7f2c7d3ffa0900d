import { prefix } from './api/routes.ts'
import { type Ask, withQuestions } from './cli/ask.ts'
import { main, type Option, shared } from './cli/command.ts'
import { openEditing } from './cli/content.ts'
import { advise, print } from './cli/output.ts'
import { names, stemOf } from './content/layout.ts'
import type { Data } from './content/parse/data.ts'
import type { MemberKind } from './content/read/open.ts'
import { readSchema, type Subschema } from './content/schema.ts'
import {
  type Editing,
  freeIdFor,
  requireFree,
  requireFreeName,
  requireMember,
} from './edit/claims.ts'
import { shownPath } from './edit/files.ts'
import { addMember } from './edit/members.ts'
import { newText } from './edit/new-text.ts'
import { addShot, dayOf, findOwnPicture, placeShot } from './edit/shots.ts'
import { UserError } from './problems/diagnostic.ts'

const keysOf = (kind: MemberKind) => readSchema(kind).properties ?? {}
const keys = { profile: keysOf('profile'), shot: keysOf('shot') }
const allKeys = { ...keys.profile, ...keys.shot }

/** Values that are right, to try an answer with. */
const samples = {
  profile: { id: '1', name: 'x' },
  shot: { id: '1', title: 'x', date: '2014-03-02', image: 'x.png' },
}

const isList = (key: string) => allKeys[key]?.type?.includes('array') === true
const isSwitch = ({ type }: Subschema) =>
  type?.includes('boolean') === true && !type.includes('number')

/**
 * A flag for each key whose value can be given as one text; the items of a list have commas
 * between them.
 */
const flags: Readonly<Record<string, Option>> = Object.fromEntries(
  Object.entries(allKeys)
    .filter(([, { items }]) => items?.properties === undefined)
    .map(([key, schema]) => {
      const { title: description = key } = schema
      return [
        key,
        isSwitch(schema)
          ? { description }
          : { value: isList(key) ? 'A,B' : 'TEXT', description },
      ]
    }),
)

const kinds = {
  member: {
    kind: 'profile',
    whose: `The name in the address of the member, ${prefix}<username>: letters, digits, and . _ - between them.`,
    refuse: requireFreeName,
  },
  shot: {
    kind: 'shot',
    whose: 'Whose shot it is: the name of the folder below members.',
    refuse: (name: string, { content }: Editing) => requireMember(name, content),
  },
} as const

main({
  name: 'npx shotpress new',
  summary: 'write the file of a new member or shot: the right place and name, a free id',
  operands: 'member USERNAME | shot USERNAME --title TEXT',
  options: {
    ...shared('content'),
    ...flags,
    id: {
      value: 'TEXT',
      description: 'Id of the member or shot (default: a free one, made from the name)',
    },
  },
  notes: [
    'On a terminal it asks for what is missing. --image takes an address, or a picture on this machine: a copy without what tells on people goes beside the shot. Without --image a shot gets a path made from its title, without --date the date of today.',
    '',
    'Exit status: 0 done, 1 a name or id is taken, 2 it could not run.',
  ],
  run: ({ operands, options: { content, ...said } }) =>
    withQuestions((ask) => add(operands, { folder: content, values: valuesIn(said), ask })),
})

/** A member or a shot that is wanted: what flags say of it, and whom to ask for the rest. */
type Wanted = {
  readonly what: keyof typeof kinds
  readonly username: string
  readonly values: Readonly<Record<string, Data>>
  readonly editing: Editing
  readonly ask: Ask | undefined
}

async function add(
  [first, given]: readonly string[],
  { folder, values, ask }: Pick<Wanted, 'values' | 'ask'> & { readonly folder: string },
) {
  const what = first ?? (ask && kindIn(await ask('Is it a member or a shot?', kindIn)))
  if ((what !== 'member' && what !== 'shot') || (given ?? ask) === undefined) {
    throw new UserError('say what is new, and whose it is', {
      hint: 'npx shotpress new member ana --name "Ana Example"; npx shotpress new shot ana --title "Poster"',
    })
  }
  const { kind, whose, refuse } = kinds[what]
  const foreign = Object.keys(values).find((key) => keys[kind][key] === undefined)
  if (foreign !== undefined) throw new UserError(`a ${what} has no --${foreign}`)
  const editing = openEditing(folder)
  if (given === undefined) advise(whose)
  else refuse(given, editing)
  // without a name on the line, there is somebody to ask
  const username = given ?? (await ask!('Username:', (name) => refuse(name, editing)))
  requireFree({ kind, username, values }, editing)
  const make = what === 'member' ? makeMember : makeShot
  await make({ what, username, values, editing, ask })
}

/**
 * What a flag says of a key, or the answer to its question; without a terminal what is to be
 * taken otherwise. An answer is right if a file with it would be, or `mayBe` knows it.
 */
async function valueFor(
  key: string,
  {
    what,
    username,
    values,
    editing,
    ask,
    otherwise = '',
    mayBe,
  }: Wanted & { readonly otherwise?: string; readonly mayBe?: (text: string) => unknown },
) {
  const { kind } = kinds[what]
  if (values[key] !== undefined) return String(values[key])
  const { title = key, description = '' } = keys[kind][key] ?? {}
  if (ask === undefined) {
    if (otherwise !== '') return otherwise
    throw new UserError(`--${key} is missing`, {
      hint: `npx shotpress new ${what} ${username} --${key} "Poster"`,
    })
  }
  advise(description.replace(/ Required\.$/, ''))
  const suffix = otherwise && ` (${otherwise})`
  const answer = await ask(`${title}${suffix}:`, (text) => {
    if ((text !== '' || otherwise === '') && !mayBe?.(text))
      newText(kind, { ...samples[kind], [key]: text }, editing)
  })
  return answer || otherwise
}

async function makeMember(wanted: Wanted) {
  const { username, values, editing } = wanted
  const name = await valueFor('name', { ...wanted, otherwise: username })
  const below = `${names.members}/${username}/${names.profile}.yaml`
  const id = values.id ?? freeIdFor(below, editing.claims)
  print(shownPath(editing.content, addMember(username, { ...values, id, name }, editing)))
  advise(
    `next: npx shotpress new shot ${username} adds a shot; npx shotpress check checks it all`,
  )
}

async function makeShot(wanted: Wanted) {
  const { username, values, editing } = wanted
  const { content, site } = editing
  const title = await valueFor('title', wanted)
  const { id, below } = placeShot(username, { id: values.id?.toString(), title }, editing)
  const path = `${names.shots}/${stemOf(below).split('/').at(-1)}.png`
  const mayBe = (image: string) => findOwnPicture(image, { content, below })
  const image = await valueFor('image', { ...wanted, otherwise: path, mayBe })
  const date = values.date ?? dayOf(new Date())
  const picture = mayBe(image)
  const written = addShot(
    below,
    { ...values, id, title, date, image },
    { ...editing, picture },
  )
  for (const file of written) print(shownPath(content, file))
  if (picture !== undefined && (picture.hasPlace || picture.personal.length > 0))
    advise('the copy says no longer where the picture was taken, or by whom')
  if (site !== undefined && !/^\.\/|^(?:https?:)?\/\//i.test(image) && picture === undefined)
    advise(`next: put the picture where ${site.assets.https}/${image} is served`)
  advise(
    'next: add what else there is to say to the file, then npx shotpress check; npx shotpress preview shows it',
  )
}

function kindIn(answer: string) {
  const [, kind] = /^(?:an? )?(member|shot)$/i.exec(answer) ?? []
  if (kind === undefined) throw new UserError('type member or shot')
  return kind.toLowerCase() as 'member' | 'shot'
}

/** The values that flags give, as a file says them. */
function valuesIn(
  said: Readonly<Record<string, string | boolean | undefined>>,
): Wanted['values'] {
  const given = Object.entries(said).filter(
    ([, text]) => text !== undefined && text !== false,
  )
  return Object.fromEntries(
    given.map(([key, text]) => {
      const value = String(text)
      return [key, isList(key) ? value.split(',').map((word) => word.trim()) : value]
    }),
  )
}
