import path from 'node:path'
import { prefix } from './api/routes.ts'
import { type Ask, withQuestions } from './cli/ask.ts'
import { main, type Option } from './cli/command.ts'
import { shared } from './cli/options.ts'
import { print, tell } from './cli/output.ts'
import { loadSite, openToWrite } from './cli/site.ts'
import { columnsOf } from './cli/terminal.ts'
import { isPicturePath, names } from './content/layout.ts'
import { createLoader } from './content/load.ts'
import type { Data } from './content/parse/data.ts'
import { readSchema, type SchemaName, type Subschema } from './content/schema.ts'
import { findTaken, nextMemberId, nextShotId, shownPath } from './edit/content-files.ts'
import {
  addMember,
  addShot,
  dayOf,
  isOwnFile,
  nameShot,
  readOwnPicture,
  requireFreeAliases,
  requireFreeId,
  requireFreeName,
  requireMember,
  requireProject,
  requireRight,
} from './edit/members.ts'
import { findEntry } from './files/folder.ts'
import { hostNames } from './hosts/hosts.ts'
import { UserError } from './problems/user-error.ts'
import { wrap } from './text/cells.ts'

type Kind = Exclude<SchemaName, 'site'>
type Flags = Readonly<Record<string, string | boolean | undefined>>

const schemas = { profile: readSchema('profile'), shot: readSchema('shot') } as const

/** Values that are right, to try an answer with. */
const samples = {
  profile: { id: '1', name: 'x' },
  shot: { id: '1', title: 'x', date: '2014-03-02', image: 'x.png' },
} as const

main({
  name: 'npm run new',
  summary: 'write the file of a new member or shot: the right place and name, a free id',
  operands: 'member USERNAME | shot USERNAME --title TEXT',
  options: {
    ...shared('content'),
    ...flagsOf(schemas.profile),
    ...flagsOf(schemas.shot),
    id: { value: 'TEXT', description: 'Id of the member or shot (default: the next free one)' },
  },
  notes: [
    'On a terminal it asks for what is missing. --image takes an address, or a picture on this machine: a copy without what tells on people goes beside the shot. Without --image a shot gets a path made from its title, without --date the date of today.',
    '',
    'Exit status: 0 done, 1 a name or id is taken, 2 it could not run.',
  ],
  run: ({ operands, options }) => withQuestions((ask) => add(operands, { flags: options, ask })),
})

async function add(
  operands: readonly string[],
  { flags, ask }: { readonly flags: Flags; readonly ask: Ask | undefined },
): Promise<undefined> {
  const [said, given] = operands
  const what = said ?? (ask && kindIn(await ask('Is it a member or a shot?', kindIn)))
  if ((what !== 'member' && what !== 'shot') || (given ?? ask) === undefined) {
    throw new UserError('say what is new, and whose it is', {
      hint: 'npm run new -- member ana --name "Ana Example"; npm run new -- shot ana --title "Poster"',
    })
  }
  const kind: Kind = what === 'member' ? 'profile' : 'shot'
  const folder = String(flags.content)
  const content = openToWrite(folder)
  const foreign = Object.keys(flags).find(
    (key) => key !== 'content' && flags[key] && schemas[kind].properties?.[key] === undefined,
  )
  if (foreign !== undefined) throw new UserError(`a ${what} has no --${foreign}`)
  const taken = findTaken(content)
  const options = { content, site: loadSite(folder), loader: createLoader({ hostNames }), taken }
  const checkUsername = (name: string): void => {
    if (kind === 'shot') requireMember(name, content)
    else requireFreeName(name, options)
  }
  const values = valuesOf(flags, schemas[kind])
  if (given !== undefined) checkUsername(given)
  else
    advise(
      kind === 'profile'
        ? `The name in the address of the member, ${prefix}<username>: letters, digits, and . _ - between them.`
        : 'Whose shot it is: the name of the folder below members.',
    )
  const username = given ?? (await ask!('Username:', checkUsername))
  requireFreeId(kind, values.id, taken)
  await (kind === 'profile' ? newMember() : newShot())
  return

  async function newMember(): Promise<void> {
    requireFreeAliases(username, values.aliases, options)
    const name = values.name ?? (await answer('name', username))
    const id = values.id ?? nextMemberId(taken)
    print(shownPath(content, addMember(username, { ...values, id, name }, options)))
    advise(`next: npm run new -- shot ${username} adds a shot; npm run check checks it all`)
  }

  async function newShot(): Promise<void> {
    requireProject(username, values.id_project, content)
    const title = String(values.title ?? (await answer('title')))
    const id = String(values.id ?? nextShotId(taken))
    const below = nameShot(username, { id, title }, content)
    const sample = `${names.shots}/${path.posix.basename(below, '.yaml')}.png`
    const image = String(values.image ?? (await answer('image', sample)))
    const date = values.date ?? dayOf(new Date())
    const picture = isOwnFile(image) ? readOwnPicture(image) : undefined
    const written = addShot(below, { ...values, id, title, date, image }, { ...options, picture })
    for (const file of written) print(shownPath(content, file))
    if (picture?.told) advise('the copy says no longer where the picture was taken, or by whom')
    const { https } = options.site?.assets ?? {}
    const beside = path.posix.join(path.posix.dirname(below), image)
    if (isPicturePath(image)) {
      if (!findEntry(content.path, beside)) advise(`next: put the picture at ${shownPath(content, beside)}`)
    } else if (picture === undefined && https !== undefined && !/^(?:https?:)?\/\//i.test(image))
      advise(`next: put the picture where ${https}/${image} is served`)
    advise('next: add what else there is to say to the file, then npm run check; npm run preview shows it')
  }

  async function answer(key: string, otherwise?: string): Promise<string> {
    const { title = key, description = '' } = schemas[kind].properties?.[key] ?? {}
    if (ask === undefined) {
      if (otherwise !== undefined) return otherwise
      throw new UserError(`--${key} is missing`, {
        hint: `npm run new -- ${what} ${username} --${key} "Poster"`,
      })
    }
    advise(description.replace(/ Required\.$/, ''))
    const question = otherwise === undefined ? `${title}:` : `${title} (${otherwise}):`
    const text = await ask(question, (text) => {
      if ((text === '' && otherwise !== undefined) || (key === 'image' && isOwnFile(text))) return
      try {
        requireRight(kind, { ...samples[kind], [key]: text }, options)
      } catch (error) {
        // at a question only the value is typed
        if (!(error instanceof UserError) || error.hint === undefined) throw error
        throw new UserError(error.message, { hint: error.hint.replace(`${key}: `, '') })
      }
    })
    return text === '' && otherwise !== undefined ? otherwise : text
  }
}

/** Advice in lines that a terminal shows whole. */
function advise(text: string): void {
  for (const line of wrap(text, Math.min(80, columnsOf(process.stderr)))) tell(line)
}

function kindIn(answer: string): 'member' | 'shot' {
  const [, kind] = /^(?:an? )?(member|shot)$/i.exec(answer) ?? []
  if (kind === undefined) throw new UserError('type member or shot')
  return kind.toLowerCase() as 'member' | 'shot'
}

/** A flag for each key whose value can be given as one text; the items of a list have commas between them. */
function flagsOf(schema: Subschema): Readonly<Record<string, Option>> {
  const keys = Object.entries(schema.properties ?? {}).filter(
    ([, { items }]) => items?.properties === undefined,
  )
  return Object.fromEntries(
    keys.map(([key, { type, title = key }]) => [
      key,
      type?.includes('boolean') && !type.includes('number')
        ? { description: title }
        : { value: type?.includes('array') ? 'A,B' : 'TEXT', description: title },
    ]),
  )
}

function valuesOf(flags: Flags, schema: Subschema): Readonly<Record<string, Data | undefined>> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([key, { type }]) => {
      const said = flags[key]
      if (said === undefined || said === false) return []
      if (said === true) return [[key, 'true']]
      return [[key, type?.includes('array') ? said.split(',').map((word) => word.trim()) : said]]
    }),
  )
}
