import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createLoader } from '../../scripts/advice/loader.ts'
import { type ContentFolder, names } from '../../scripts/content/layout.ts'
import {
  addMember,
  addShot,
  freeIdFor,
  listContentFiles,
  placeShot,
  readClaims,
  renameMember,
  requireFreeName,
  tidyFile,
} from '../../scripts/edit/members.ts'
import { replaceFile } from '../../scripts/files/write.ts'
import { UserError } from '../../scripts/problems/diagnostic.ts'
import { check } from '../../scripts/snapshot/check.ts'
import { readTree, sandbox, type Tree } from '../sandbox.ts'
import { createRandom, type Random } from '../snapshot/random.ts'

/** Sequences of commands that write content; EDIT_SEQUENCES=1000 for the full measure. */
const sequences = Number(process.env.EDIT_SEQUENCES ?? 24)
const seed = Number(process.env.SEED ?? 0)

const loader = createLoader({ hostNames: [] })

/** A small site as people leave it: keys in any order, comments, mixed line ends, ids taken twice, broken files. */
const randomSite = (random: Random): Tree => {
  let comments = 0
  const comment = () => (random.below(2) === 0 ? ` # comment ${++comments};` : '')
  const write = (keys: readonly string[]): string => {
    const end = random.pick(['\n', '\n', '\r\n'])
    const lines = keys
      .map((key) => ({ key, order: random.below(1000) }))
      .sort((a, b) => a.order - b.order)
      .flatMap(({ key }) => [
        ...(random.below(4) === 0 ? [`#${comment()}`] : []),
        `${key}${comment()}`,
      ])
    return lines.join(end) + random.pick([end, end, ''])
  }
  const tree: Record<string, string> = {
    'content/site.yaml': write(['base_url: https://api.example.com', 'reserved: [admin]']),
    'content/notes.txt': 'not ours\r\n',
    'elsewhere/mine.txt': 'not yours',
  }
  for (let member = 1; member <= 1 + random.below(4); member++) {
    const folder = `content/members/m${member}`
    const more = random.pick([
      'location: Lisbon',
      'skills: [a, b]',
      `aliases: [old-${member}]`,
      'nmae: X',
    ])
    tree[`${folder}/profile.yaml`] = write([`id: ${1 + random.below(4)}`, `name: M${member}`, more])
    for (let shot = random.below(4); shot > 0; shot--) {
      const keys = [`id: ${1 + random.below(9)}`, 'title: T', 'date: 2014-03-02', 'image: a.png']
      const extra = random.pick([
        'tags: [x]',
        'draft: true',
        'description: "a # b"',
        'price_item: 1.50',
      ])
      const broken = random.below(8) === 0 ? ['title: [twice'] : []
      tree[`${folder}/shots/s${shot}.yaml`] = write([...keys, extra, ...broken])
    }
  }
  return tree
}

type Verb = (content: ContentFolder, random: Random) => void

const optionsFor = (content: ContentFolder) => ({
  content,
  loader,
  claims: readClaims(content),
  site: loader.loadSite({
    file: 'site.yaml',
    text: fs.readFileSync(path.join(content.path, 'site.yaml'), 'utf8'),
  }).value,
})
const someName = (random: Random) =>
  random.pick(['ana', 'Ana', 'ADMIN', 'bo', 'm1', 'M1', 'old-1', 'old-2'])
const someMember = (content: ContentFolder, random: Random) =>
  random.pick(fs.readdirSync(path.join(content.path, names.members)).sort())

const verbs: Readonly<Record<string, Verb>> = {
  'new member': (content, random) => {
    const options = optionsFor(content)
    const username = someName(random)
    requireFreeName(username, options)
    addMember(
      username,
      { id: freeIdFor(`members/${username}/profile.yaml`, options.claims), name: 'New: #1' },
      options,
    )
  },
  'new shot': (content, random) => {
    const options = optionsFor(content)
    const title = random.pick(['T', 'Ünder', '印刷'])
    const { id, below } = placeShot(someMember(content, random), { title }, options)
    addShot(below, { id, title, date: '2014-03-02', image: 'a.png' }, options)
  },
  rename: (content, random) => {
    const from = someMember(content, random)
    const to = someName(random)
    renameMember({ from, to, alias: random.below(4) > 0 }, optionsFor(content))
  },
  tidy: (content) => {
    for (const file of listContentFiles(content)) {
      const { text } = tidyFile(content, file)
      if (text === undefined) continue
      replaceFile(content.path, file.below, text)
      expect(tidyFile(content, file)).toEqual({ before: text, text })
    }
  },
}

const commentsIn = (tree: ReturnType<typeof readTree>): readonly string[] =>
  Object.values(tree)
    .flatMap((text) => text.match(/# comment \d+;/g) ?? [])
    .sort()

const isOurs = (file: string): boolean => /^content\/(?:site|members\/.*)\.yaml$/.test(file)
const others = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([file]) => !isOurs(file)))

/** How many errors of each kind `check` has to tell. */
const errorsOf = async (content: ContentFolder): Promise<Readonly<Record<string, number>>> => {
  const options = {
    content: content.path,
    out: path.join(content.path, '../dist'),
    state: undefined,
  }
  const { diagnostics } = await check({
    ...options,
    all: true,
    hostNames: [],
    onProgress: () => {},
  })
  const counts: Record<string, number> = {}
  for (const { code, severity } of diagnostics) {
    if (severity === 'error') counts[code] = (counts[code] ?? 0) + 1
  }
  return counts
}

test.each(Array.from({ length: sequences }, (_, number) => seed * 10_000 + number))(
  'new, rename and tidy in any order make nothing worse, and keep every comment: sequence %i',
  async (number) => {
    const random = createRandom(number)
    const folder = sandbox(randomSite(random))
    const content: ContentFolder = { path: path.join(folder, 'content'), name: 'content' }
    let before = { tree: readTree(folder), errors: await errorsOf(content) }
    const log: string[] = []
    for (let step = 0; step < 6; step++) {
      const name = random.pick(Object.keys(verbs))
      log.push(name)
      try {
        verbs[name]!(content, random)
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        log.push(`(${error.message})`)
        expect(readTree(folder), log.join(', ')).toEqual(before.tree)
      }
      const after = { tree: readTree(folder), errors: await errorsOf(content) }
      for (const [code, count] of Object.entries(after.errors)) {
        expect(count, `${code} after ${log.join(', ')}`).toBeLessThanOrEqual(
          before.errors[code] ?? 0,
        )
      }
      expect(commentsIn(after.tree), log.join(', ')).toEqual(commentsIn(before.tree))
      expect(others(after.tree), log.join(', ')).toEqual(others(before.tree))
      before = after
    }
  },
)
