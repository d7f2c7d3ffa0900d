import fs from 'node:fs'
import path from 'node:path'
import { git } from '../git.ts'
import { chunk, png } from '../pictures/bytes.ts'
import { profileYaml, shotYaml } from '../site.ts'
import type { Random } from './random.ts'

/** Something that happens to a site or its snapshot between two builds. */
export type Edit = { readonly name: string; readonly apply: (folder: string, random: Random) => void }

const members = (folder: string): string[] => list(path.join(folder, 'content/members'))
const list = (folder: string): string[] => (fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [])

const someShot = (folder: string, random: Random): string | undefined => {
  const shots = members(folder).flatMap((member) =>
    list(path.join(folder, 'content/members', member, 'shots')).map((name) =>
      path.join(folder, 'content/members', member, 'shots', name),
    ),
  )
  return shots.length === 0 ? undefined : random.pick(shots)
}

const somePublished = (folder: string, random: Random): string | undefined => {
  const dist = path.join(folder, 'dist')
  const files = fs.existsSync(dist)
    ? fs
        .readdirSync(dist, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
        .sort()
    : []
  return files.length === 0 ? undefined : random.pick(files)
}

const addToGit = (folder: string): void => {
  if (!fs.existsSync(path.join(folder, '.git'))) git(folder, ['init', '-q'])
  git(folder, ['add', '--all', 'content'])
}

const freshId = (random: Random): number => 1 + random.below(1_000_000_000)

/** What authors do. */
const authors: Edit[] = [
  {
    name: 'a member gets a picture, or another one',
    apply: (folder, random) => {
      const name = random.pick(members(folder))
      const member = path.join(folder, 'content/members', name)
      const profile = path.join(member, 'profile.yaml')
      if (!fs.existsSync(profile)) return
      fs.writeFileSync(path.join(member, 'me.png'), png(chunk('gAMA', `000${random.below(3)}`)))
      const text = fs.readFileSync(profile, 'utf8').replace(/avatar: .*\n/, '')
      fs.writeFileSync(profile, `${text}avatar: ./me.png\n`)
    },
  },
  {
    name: 'a picture goes',
    apply: (folder, random) => {
      const member = path.join(folder, 'content/members', random.pick(members(folder)))
      const profile = path.join(member, 'profile.yaml')
      if (!fs.existsSync(profile)) return
      fs.writeFileSync(profile, fs.readFileSync(profile, 'utf8').replace('avatar: ./me.png\n', ''))
      fs.rmSync(path.join(member, 'me.png'), { force: true })
    },
  },
  {
    name: 'a shot changes within the same tick, its size the same',
    apply: (folder, random) => {
      const shot = someShot(folder, random)
      if (shot === undefined) return
      const text = fs.readFileSync(shot, 'utf8')
      fs.writeFileSync(
        shot,
        text.replace(/title: (.)/, () => `title: ${random.pick([...'ABCDEFGHIJ'])}`),
      )
    },
  },
  {
    name: 'a shot changes and gets its old times back',
    apply: (folder, random) => {
      const shot = someShot(folder, random)
      if (shot === undefined) return
      const { atime, mtime } = fs.statSync(shot)
      fs.writeFileSync(
        shot,
        fs.readFileSync(shot, 'utf8').replace(/date: 2014-03-\d\d/, `date: 2014-03-${10 + random.below(20)}`),
      )
      fs.utimesSync(shot, atime, mtime)
    },
  },
  {
    name: 'a shot is added',
    apply: (folder, random) => {
      if (members(folder).length === 0) return
      const shots = path.join(folder, 'content/members', random.pick(members(folder)), 'shots')
      fs.mkdirSync(shots, { recursive: true })
      const id = freshId(random)
      fs.writeFileSync(path.join(shots, `${id}.yaml`), shotYaml(id, 'New', 1 + random.below(28)))
    },
  },
  {
    name: 'a shot is deleted',
    apply: (folder, random) => {
      const shot = someShot(folder, random)
      if (shot !== undefined) fs.rmSync(shot)
    },
  },
  {
    name: 'a shot is renamed',
    apply: (folder, random) => {
      const shot = someShot(folder, random)
      if (shot !== undefined)
        fs.renameSync(shot, path.join(path.dirname(shot), `renamed-${freshId(random)}.yml`))
    },
  },
  {
    name: 'a shot moves to another member',
    apply: (folder, random) => {
      const shot = someShot(folder, random)
      if (shot === undefined) return
      const shots = path.join(folder, 'content/members', random.pick(members(folder)), 'shots')
      fs.mkdirSync(shots, { recursive: true })
      fs.renameSync(shot, path.join(shots, `moved-${freshId(random)}.yaml`))
    },
  },
  {
    name: 'a member is added',
    apply: (folder, random) => {
      const id = freshId(random)
      const member = path.join(folder, 'content/members', `new-${id}`)
      fs.mkdirSync(member)
      fs.writeFileSync(path.join(member, 'profile.yaml'), profileYaml(id))
    },
  },
  {
    name: 'a member is deleted',
    apply: (folder, random) => {
      if (members(folder).length > 1) {
        fs.rmSync(path.join(folder, 'content/members', random.pick(members(folder))), { recursive: true })
      }
    },
  },
  {
    name: 'a member gets another username',
    apply: (folder, random) => {
      const all = path.join(folder, 'content/members')
      fs.renameSync(
        path.join(all, random.pick(members(folder))),
        path.join(all, `renamed-${freshId(random)}`),
      )
    },
  },
  {
    name: 'two members swap their names',
    apply: (folder, random) => {
      const all = path.join(folder, 'content/members')
      const [one, other] = [random.pick(members(folder)), random.pick(members(folder))]
      if (one === other) return
      fs.renameSync(path.join(all, one), path.join(all, 'swapping'))
      fs.renameSync(path.join(all, other), path.join(all, one))
      fs.renameSync(path.join(all, 'swapping'), path.join(all, other))
    },
  },
  {
    name: 'the site changes',
    apply: (folder, random) =>
      fs.writeFileSync(
        path.join(folder, 'content/site.yaml'),
        [
          'base_url: https://api.example.com',
          `assets: https://cdn${random.below(3)}.example.com`,
          random.pick(['', 'precompress: [br, gzip]', 'precompress: [gzip]']),
          random.pick(['', 'members: true']),
          random.pick(['', 'all: true']),
          random.pick(['', 'openapi: true']),
          random.pick(['', '', 'schemes: [https]']),
          '',
        ].join('\n'),
      ),
  },
  {
    name: 'content is checked out again',
    apply: (folder) => {
      const content = path.join(folder, 'content')
      fs.cpSync(content, `${content}-again`, { recursive: true })
      fs.rmSync(content, { recursive: true })
      fs.renameSync(`${content}-again`, content)
    },
  },
  {
    name: 'git learns of what changed',
    apply: (folder) => addToGit(folder),
  },
  {
    name: 'git checks the content out again',
    apply: (folder) => {
      addToGit(folder)
      fs.rmSync(path.join(folder, 'content'), { recursive: true })
      git(folder, ['checkout-index', '--all', '--index'])
    },
  },
]

/** What happens to snapshots. */
const accidents: Edit[] = [
  { name: 'nothing happens', apply: () => {} },
  {
    name: 'a published file is deleted',
    apply: (folder, random) => {
      const file = somePublished(folder, random)
      if (file !== undefined) fs.rmSync(file)
    },
  },
  {
    name: 'a published file is altered, its size and times the same',
    apply: (folder, random) => {
      const file = somePublished(folder, random)
      if (file === undefined) return
      const { atime, mtime } = fs.statSync(file)
      const bytes = fs.readFileSync(file)
      bytes[random.below(bytes.length)]! ^= 1
      fs.writeFileSync(file, bytes)
      fs.utimesSync(file, atime, mtime)
    },
  },
  {
    name: 'a stranger stands in the snapshot',
    apply: (folder, random) => {
      const file = somePublished(folder, random)
      if (file !== undefined) fs.writeFileSync(path.join(path.dirname(file), 'stranger.txt'), 'hello')
    },
  },
  {
    name: 'a published folder becomes a link',
    apply: (folder, random) => {
      const file = somePublished(folder, random)
      if (file === undefined || path.dirname(file) === path.join(folder, 'dist')) return
      fs.rmSync(path.dirname(file), { recursive: true })
      fs.symlinkSync(path.join(folder, 'elsewhere'), path.dirname(file), 'junction')
    },
  },
  {
    name: 'a published file becomes a folder',
    apply: (folder, random) => {
      const file = somePublished(folder, random)
      if (file === undefined) return
      fs.rmSync(file)
      fs.mkdirSync(path.join(file, 'inside'), { recursive: true })
    },
  },
  {
    name: 'the snapshot is lost',
    apply: (folder) => fs.rmSync(path.join(folder, 'dist'), { recursive: true, force: true }),
  },
  {
    name: 'the state is lost',
    apply: (folder) => fs.rmSync(path.join(folder, '.shotpress'), { recursive: true, force: true }),
  },
  {
    name: 'the state is damaged',
    apply: (folder, random) => {
      const state = path.join(folder, '.shotpress/dist/state')
      if (!fs.existsSync(state)) return
      const bytes = fs.readFileSync(state)
      bytes[random.below(bytes.length)]! ^= 1 << random.below(8)
      fs.writeFileSync(state, bytes)
    },
  },
  {
    name: 'snapshot and state come back from a cache',
    apply: (folder) => {
      for (const name of ['dist', '.shotpress']) {
        if (!fs.existsSync(path.join(folder, name))) continue
        fs.cpSync(path.join(folder, name), path.join(folder, 'cache'), {
          recursive: true,
          preserveTimestamps: true,
          verbatimSymlinks: true,
        })
        fs.rmSync(path.join(folder, name), { recursive: true })
        fs.renameSync(path.join(folder, 'cache'), path.join(folder, name))
      }
    },
  },
]

export const edits: readonly Edit[] = [...authors, ...accidents]
