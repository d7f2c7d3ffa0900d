import { prefix } from './api/routes.ts'
import { main, type Option, status } from './cli/command.ts'
import { reportFailure } from './cli/failure.ts'
import { contentOption } from './cli/options.ts'
import { loadSite } from './cli/site.ts'
import { columnsOf } from './cli/terminal.ts'
import { names } from './content/layout.ts'
import { createLoader } from './content/load.ts'
import type { Data } from './content/parse/data.ts'
import { readSchema, type SchemaName, type Subschema } from './content/schema.ts'
import { foldUsername } from './content/username.ts'
import { type Ask, Cancelled, createAsk } from './edit/ask.ts'
import { findTaken, nextMemberId, nextShotId, shownPath } from './edit/content-files.ts'
import {
  type AddOptions,
  addMember,
  addPicture,
  addShot,
  isOwnFile,
  raiseTotal,
  readOwnPicture,
  requireFreeName,
  requireMember,
  requireProject,
  requireRight,
  stemsOf,
  warnOfDash,
} from './edit/members.ts'
import { shotFileName } from './edit/write.ts'
import { hostNames } from './hosts/hosts.ts'
import { UserError } from './problems/user-error.ts'
import { resolveContent } from './snapshot/folders.ts'
import { wrap } from './text/cells.ts'
import { printable } from './text/printable.ts'

type Kind = Exclude<SchemaName, 'site'>
type Flags = Readonly<Record<string, string | boolean | undefined>>

const schemas = { profile: readSchema('profile'), shot: readSchema('shot') } as const

/** Values that are right, to try an answer with. */
const samples = {
  profile: { id: '1', name: 'x' },
  shot: { id: '1', title: 'x', date: '2014-03-02', image: 'x.png' },
} as const

const name = 'npm run new'

main({
  name,
  summary: 'write the file of a new member or shot: the right place and name, a free id',
  operands: 'member USERNAME | shot USERNAME --title TEXT',
  options: {
    content: contentOption,
    ...flagsOf(schemas.profile),
    ...flagsOf(schemas.shot),
    id: { value: 'TEXT', description: 'Id of the member or shot (default: the next free one)' },
  },
  notes: [
    'On a terminal it asks for what is missing. --image takes an address, or a picture on this machine: a copy without what tells on people goes beside the shot. Without --image a shot gets a path made from its title, without --date the date of today.',
    '',
    'Exit status: 0 done, 1 a name or id is taken, 2 it could not run.',
  ],
  run: async ({ operands, options }) => {
    const { ask, end } = process.stdin.isTTY
      ? createAsk(process.stdin, process.stderr)
      : { ask: undefined, end: () => {} }
    try {
      return await add(operands, { flags: options, ask })
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error
      process.stderr.write('\nnothing was written\n')
      process.exit(130)
    } finally {
      end()
    }
  },
})

async function add(
  operands: readonly string[],
  { flags, ask }: { readonly flags: Flags; readonly ask: Ask | undefined },
): Promise<0> {
  const [said, given] = operands
  const what = said ?? (ask && kindIn(await askUntil(ask, 'Is it a member or a shot?', kindIn)))
  if ((what !== 'member' && what !== 'shot') || (given ?? ask) === undefined) {
    throw new UserError('say what is new, and whose it is', {
      hint: 'npm run new -- member ana --name "Ana Example"; npm run new -- shot ana --title "Poster"',
    })
  }
  const kind: Kind = what === 'member' ? 'profile' : 'shot'
  const content = resolveContent(String(flags.content))
  const foreign = Object.keys(flags).find(
    (key) => key !== 'content' && flags[key] && schemas[kind].properties?.[key] === undefined,
  )
  if (foreign !== undefined) throw new UserError(`a ${what} has no --${foreign}`)
  const options = {
    content,
    site: loadSite(String(flags.content)),
    loader: createLoader({ hostNames }),
    taken: findTaken(content),
  }
  const requireUsername = (name: string): void => {
    if (kind === 'shot') requireMember(name, content)
    else requireFreeName(name, options)
    if (kind === 'profile') warnOfDash(name)
  }
  const username = given ?? (await askUsername())
  if (given !== undefined) requireUsername(username)
  const values = valuesOf(flags, schemas[kind])
  requireFreeId(kind, values.id, options)
  if (kind === 'shot') requireProject(username, values.id_project, content)
  if (kind === 'profile') requireFreeAliases(username, values.aliases, options)
  await (kind === 'profile' ? newMember(values) : newShot(values))
  return status.done

  async function askUsername(): Promise<string> {
    tell(
      kind === 'profile'
        ? `The name in the address of the member, ${prefix}<username>: letters, digits, and . _ - between them.`
        : 'Whose shot it is: the name of the folder below members.',
    )
    return askUntil(ask!, 'Username:', requireUsername)
  }

  async function newMember(said: Values): Promise<void> {
    const shown = said.name ?? (await answer('name', username))
    const id = said.id ?? nextMemberId(options.taken)
    written(addMember(username, { ...said, id, name: shown }, options))
    tell(`next: npm run new -- shot ${username} adds a shot; npm run check checks it all`)
  }

  async function newShot(said: Values): Promise<void> {
    const title = said.title ?? (await answer('title'))
    const id = said.id ?? nextShotId(options.taken)
    const file = shotFileName({ id: String(id), title: String(title) }, stemsOf(username, content))
    const stem = file.replace(/\.yaml$/, '')
    const image = String(said.image ?? (await answer('image', `shots/${stem}.png`)))
    const date = said.date ?? today(new Date())
    const below = `${names.members}/${username}/${names.shots}/${file}`
    const picture = isOwnFile(image) ? readOwnPicture(image) : undefined
    const shot = { ...said, id, title, date, image: picture ? `./${stem}${picture.ending}` : image }
    requireRight('shot', shot, options)
    if (picture !== undefined) {
      written(addPicture(below.replace(/\.yaml$/, picture.ending), picture.bytes, options))
      if (picture.told) tell('the copy says no longer where the picture was taken, or by whom')
    }
    written(addShot(below, shot, options))
    const profile = raiseTotal(username, content)
    if (profile !== undefined) written(profile)
    const { https } = options.site?.assets ?? {}
    const isPath = picture === undefined && !/^(?:https?:)?\/\//i.test(image)
    if (isPath && https !== undefined) tell(`next: put the picture where ${https}/${image} is served`)
    tell('next: add what else there is to say to the file, then npm run check; npm run preview shows it')
  }

  function written(below: string): void {
    process.stdout.write(`${printable(shownPath(content, below))}\n`)
  }

  async function answer(key: string, otherwise?: string): Promise<string> {
    const { title = key, description = '' } = schemas[kind].properties?.[key] ?? {}
    if (ask === undefined) {
      if (otherwise !== undefined) return otherwise
      throw new UserError(`--${key} is missing`, {
        hint: `npm run new -- ${what} ${username} --${key} "Poster"`,
      })
    }
    tell(description.replace(/ Required\.$/, ''))
    const question = otherwise === undefined ? `${title}:` : `${title} (${otherwise}):`
    const text = await askUntil(ask, question, (text) => {
      if ((text === '' && otherwise !== undefined) || (key === 'image' && isOwnFile(text))) return
      // at a question only the value is typed
      withHint(
        () => requireRight(kind, { ...samples[kind], [key]: text }, options),
        (hint) => hint.replace(`${key}: `, ''),
      )
    })
    return text === '' && otherwise !== undefined ? otherwise : text
  }
}

/** Advice and questions, in lines that a terminal shows whole. */
function tell(text: string): void {
  const lines = wrap(printable(text), Math.min(80, columnsOf(process.stderr)))
  process.stderr.write(`${lines.join('\n')}\n`)
}

/** Asks until the answer is right: a wrong one must not cost what was typed before. */
async function askUntil(ask: Ask, question: string, require: (answer: string) => void): Promise<string> {
  for (;;) {
    const answer = await ask(question)
    try {
      require(answer)
      return answer
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      reportFailure(error, name)
    }
  }
}

/** Makes the call; a user's error gets another hint. */
function withHint(call: () => void, words: (hint: string) => string): void {
  try {
    call()
  } catch (error) {
    if (!(error instanceof UserError) || error.hint === undefined) throw error
    throw new UserError(error.message, { hint: words(error.hint) })
  }
}

function kindIn(answer: string): 'member' | 'shot' {
  const [, kind] = /^(?:an? )?(member|shot)$/i.exec(answer) ?? []
  if (kind === undefined) throw new UserError('type member or shot')
  return kind.toLowerCase() as 'member' | 'shot'
}

type Values = Readonly<Record<string, Data | undefined>>

function requireFreeId(kind: Kind, id: Data | undefined, { taken }: AddOptions): void {
  const ids = kind === 'profile' ? taken.members : taken.shots
  if (typeof id !== 'string' || !ids.has(id)) return
  const free = kind === 'profile' ? nextMemberId(taken) : nextShotId(taken)
  throw new UserError(`the id ${id} is taken`, { hint: `${free} is free`, answer: true })
}

/** Refuses an alias that somebody has, the new member's username, and an alias that is given twice. */
function requireFreeAliases(username: string, aliases: Data = [], { site, taken }: AddOptions): void {
  const known = new Map([...taken.names, [foldUsername(username), 'the new member has it']])
  for (const alias of Array.isArray(aliases) ? aliases.map(String) : []) {
    requireFreeName(alias, { site, taken: { ...taken, names: known } })
    known.set(foldUsername(alias), 'the new member has it')
  }
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

function valuesOf(flags: Flags, schema: Subschema): Values {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([key, { type }]) => {
      const said = flags[key]
      if (said === undefined || said === false) return []
      if (said === true) return [[key, 'true']]
      return [[key, type?.includes('array') ? said.split(',').map((word) => word.trim()) : said]]
    }),
  )
}

/** The day on this person's clock. */
function today(now: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
