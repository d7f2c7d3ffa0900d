import fs from 'node:fs'
import path from 'node:path'
import { chunk, png } from '../pictures/bytes.ts'
import {
  isThere,
  makeFolder,
  readText,
  readTree,
  removeFrom,
  renameIn,
  writeTree,
} from '../sandbox.ts'
import { profileYaml, shotYaml } from '../site.ts'
import type { Random } from './random.ts'

type Edits = Readonly<Record<string, (folder: string, random: Random) => void>>

const members = (folder: string) => list(`${folder}/content/members`)
const list = (folder: string) => (fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [])

const someMember = (folder: string, random: Random) =>
  `${folder}/content/members/${random.pick(members(folder))}`

const someShot = (folder: string, random: Random) => {
  const shots = members(folder).flatMap((member) => {
    const inside = `${folder}/content/members/${member}/shots`
    return list(inside).map((name) => `${inside}/${name}`)
  })
  return shots.length === 0 ? undefined : random.pick(shots)
}

const someProfile = (folder: string, random: Random) => {
  const profile = `${someMember(folder, random)}/profile.yaml`
  return fs.existsSync(profile) ? profile : undefined
}

const somePublished = (folder: string, random: Random) => {
  const files = Object.entries(readTree(folder, 'dist')).flatMap(([file, text]) =>
    file.endsWith('/') || text.startsWith('-> ') ? [] : [`${folder}/dist/${file}`],
  )
  return files.length === 0 ? undefined : random.pick(files)
}

/** Does something to what is found, if there is one. */
const withSome =
  (find: typeof someShot) =>
  (act: (file: string, random: Random, folder: string) => void): Edits[string] =>
  (folder, random) => {
    const file = find(folder, random)
    if (file !== undefined) act(file, random, folder)
  }
/** Changes the text of a file. */
const edit = (file: string, change: (text: string) => string) =>
  fs.writeFileSync(file, change(readText(file)))

/** The folder of some member's shots, which may be new. */
const someShots = (folder: string, random: Random) => {
  const shots = `${someMember(folder, random)}/shots`
  fs.mkdirSync(shots, { recursive: true })
  return shots
}

const withShot = withSome(someShot)
const withProfile = withSome(someProfile)
const withPublished = withSome(somePublished)

/** Changes a file, which keeps its times. */
const rewrite = (file: string, change: (text: Buffer) => Uint8Array | string) => {
  const { atime, mtime } = fs.statSync(file)
  fs.writeFileSync(file, change(fs.readFileSync(file)))
  fs.utimesSync(file, atime, mtime)
}

const freshId = (random: Random) => 1 + random.below(1_000_000_000)

/** What authors do. */
const authors: Edits = {
  'a member gets a picture, or another one': withProfile((profile, random) => {
    writeTree(path.dirname(profile), {
      'me.png': png(chunk('gAMA', `000${random.below(3)}`)),
    })
    edit(profile, (text) => `${text.replace(/avatar: .*\n/, '')}avatar: ./me.png\n`)
  }),
  'a picture goes': withProfile((profile) => {
    edit(profile, (text) => text.replace('avatar: ./me.png\n', ''))
    fs.rmSync(`${path.dirname(profile)}/me.png`, { force: true })
  }),
  'a shot changes within the same tick, its size the same': withShot((shot, random) => {
    const letter = random.pick([...'ABCDEFGHIJ'])
    edit(shot, (text) => text.replace(/title: (.)/, `title: ${letter}`))
  }),
  'a shot changes and gets its old times back': withShot((shot, random) => {
    const day = 10 + random.below(20)
    rewrite(shot, (text) =>
      text.toString().replace(/date: 2014-03-\d\d/, `date: 2014-03-${day}`),
    )
  }),
  'a shot is added': (folder, random) => {
    if (members(folder).length === 0) return
    const shots = someShots(folder, random)
    const id = freshId(random)
    writeTree(shots, { [`${id}.yaml`]: shotYaml(id, 'New', 1 + random.below(28)) })
  },
  'a shot is deleted': withShot((shot) => fs.rmSync(shot)),
  'a shot is renamed': withShot((shot, random) =>
    fs.renameSync(shot, `${path.dirname(shot)}/renamed-${freshId(random)}.yml`),
  ),
  'a shot moves to another member': withShot((shot, random, folder) => {
    fs.renameSync(shot, `${someShots(folder, random)}/moved-${freshId(random)}.yaml`)
  }),
  'a member is added': (folder, random) => {
    const id = freshId(random)
    writeTree(folder, { [`content/members/new-${id}/profile.yaml`]: profileYaml(id) })
  },
  'a member is deleted': (folder, random) => {
    if (members(folder).length > 1) fs.rmSync(someMember(folder, random), { recursive: true })
  },
  'a member gets another username': (folder, random) => {
    const member = someMember(folder, random)
    fs.renameSync(member, `${path.dirname(member)}/renamed-${freshId(random)}`)
  },
  'two members swap their names': (folder, random) => {
    const all = `${folder}/content/members`
    const one = random.pick(members(folder))
    const other = random.pick(members(folder))
    if (one === other) return
    renameIn(all, one, 'swapping')
    renameIn(all, other, one)
    renameIn(all, 'swapping', other)
  },
  'the site changes': (folder, random) =>
    writeTree(folder, {
      'content/site.yaml': [
        'base_url: https://api.example.com',
        `assets: https://cdn${random.below(3)}.example.com`,
        random.pick(['', 'precompress: [br, gzip]', 'precompress: [gzip]']),
        random.pick(['', 'members: true']),
        random.pick(['', 'all: true']),
        random.pick(['', 'openapi: true']),
        random.pick(['', '', 'schemes: [https]']),
        '',
      ].join('\n'),
    }),
  'content is checked out again': (folder) => {
    const content = `${folder}/content`
    fs.cpSync(content, `${content}-again`, { recursive: true })
    fs.rmSync(content, { recursive: true })
    fs.renameSync(`${content}-again`, content)
  },
}

const lose =
  (name: string): Edits[string] =>
  (folder) =>
    fs.rmSync(`${folder}/${name}`, { recursive: true, force: true })

/** What happens to snapshots. */
const accidents: Edits = {
  'nothing happens': () => {},
  'a published file is deleted': withPublished((file) => fs.rmSync(file)),
  'a published file is altered, its size and times the same': withPublished((file, random) =>
    rewrite(file, (bytes) => {
      bytes[random.below(bytes.length)]! ^= 1
      return bytes
    }),
  ),
  'a stranger stands in the snapshot': withPublished((file) =>
    writeTree(path.dirname(file), { 'stranger.txt': 'hello' }),
  ),
  'a published folder becomes a link': withPublished((file, _, folder) => {
    if (path.dirname(file) === `${folder}/dist`) return
    fs.rmSync(path.dirname(file), { recursive: true })
    fs.symlinkSync(`${folder}/elsewhere`, path.dirname(file), 'junction')
  }),
  'a published file becomes a folder': withPublished((file) => {
    fs.rmSync(file)
    makeFolder(file, 'inside')
  }),
  'the snapshot is lost': lose('dist'),
  'the state is lost': lose('.shotpress'),
  'the state is damaged': (folder, random) => {
    const state = `${folder}/.shotpress/dist/state`
    if (!fs.existsSync(state)) return
    const bytes = fs.readFileSync(state)
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8)
    fs.writeFileSync(state, bytes)
  },
  'snapshot and state come back from a cache': (folder) => {
    for (const name of ['dist', '.shotpress']) {
      if (!isThere(folder, name)) continue
      fs.cpSync(`${folder}/${name}`, `${folder}/cache`, {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
      })
      removeFrom(folder, name)
      renameIn(folder, 'cache', name)
    }
  },
}

/** Something that happens to a site or its snapshot between two builds. */
export const edits = Object.entries({ ...authors, ...accidents }).map(([name, apply]) => ({
  name,
  apply,
}))
