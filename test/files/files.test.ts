import fs from 'node:fs'
import { expect, it, test } from 'vitest'
import {
  createFolderOf,
  findEntry,
  findFolder,
  isPathBelow,
  makeFolder,
  readFile,
} from '../../scripts/files/folder.ts'
import {
  createFile,
  remove,
  removeIfEmpty,
  removeLeftBehind,
  replaceFile,
  writeNew,
} from '../../scripts/files/write.ts'
import { isPosix, onPosix } from '../posix.ts'
import { namesIn, readText, writeTree } from '../sandbox.ts'
import { texts } from '../tables.ts'
import { isUntouched, makePipe, makePlace } from './sandbox.ts'

test.each([...texts('a¦a/b.c/..d'), `a/${'x'.repeat(255)}`])(
  '%j is a path below a folder',
  (text) => expect(isPathBelow(text)).toBe(true),
)

test.each([...texts('¦.¦..¦a//b¦a\0b'), `a/${'x'.repeat(256)}`, `a/${'é'.repeat(128)}`])(
  '%j is no path below a folder',
  (text) => expect(isPathBelow(text)).toBe(false),
)

const acts: Readonly<Record<string, (root: string) => unknown>> = {
  findFolder: (root) => findFolder(root, 'link/inside'),
  'findFolder, at the link': (root) => findFolder(root, 'link'),
  makeFolder: (root) => makeFolder(root, 'link/new'),
  'makeFolder, at the link': (root) => makeFolder(root, 'link'),
  createFolderOf: (root) => createFolderOf(root)('link/new/file'),
  readFile: (root) => readFile(root, 'link/inside/file'),
  writeNew: (root) => writeNew(root, 'link/new', 'ours'),
  replaceFile: (root) => replaceFile(root, 'link/file', 'ours'),
  createFile: (root) => createFile(root, 'link/new', 'ours'),
  remove: (root) => remove(root, 'link/file'),
  removeIfEmpty: (root) => removeIfEmpty(root, 'link/inside'),
}
it.each(Object.keys(acts))(
  'a link on the way is refused, and nothing that it leads to is touched: %s',
  (name) => {
    const { root, victim } = makePlace()
    expect(() => acts[name]!(root)).toThrow(/is a link/)
    expect(isUntouched(victim)).toBe(true)
  },
)

it.each(texts('../victim/file¦.¦¦/etc¦a/../../victim'))(
  'a path that leads out is refused: %j',
  (below) => {
    const { root, victim } = makePlace()
    for (const act of [remove, findEntry, makeFolder, readFile]) {
      expect(() => act(root, below)).toThrow(RangeError)
    }
    expect(() => replaceFile(root, below, 'ours')).toThrow(RangeError)
    expect(isUntouched(victim)).toBe(true)
  },
)

it('a link at the path itself is removed, and not what it leads to', () => {
  const { root, victim } = makePlace()
  remove(root, 'link')
  expect(fs.readdirSync(root)).toEqual([])
  expect(isUntouched(victim)).toBe(true)
})

it.runIf(isPosix)(
  onPosix('a link at the path itself is replaced, and not what it leads to'),
  () => {
    const { root, victim } = makePlace()
    fs.symlinkSync(`${victim}/file`, `${root}/file`)
    replaceFile(root, 'file', 'ours')
    expect(readText(`${root}/file`)).toBe('ours')
    expect(isUntouched(victim)).toBe(true)
  },
)

it.runIf(isPosix)(
  onPosix('a link at the path itself is neither opened nor created through'),
  () => {
    const { root, victim } = makePlace()
    fs.symlinkSync(`${victim}/file`, `${root}/file`)
    fs.symlinkSync(`${victim}/new`, `${root}/new`)
    expect(readFile(root, 'file')).toBe(undefined)
    for (const name of ['file', 'new']) {
      expect(() => writeNew(root, name, 'ours')).toThrow('EEXIST')
      expect(() => createFile(root, name, 'ours')).toThrow('EEXIST')
    }
    expect(isUntouched(victim)).toBe(true)
  },
)

it('reading gives the bytes of a plain file up to the limit, and nothing of what is none', () => {
  const { root } = makePlace()
  writeTree(root, { file: 'text' })
  expect(readFile(root, 'file', { limit: 4 })?.toString()).toBe('text')
  expect(readFile(root, 'file', { limit: 3 })).toBe(undefined)
  fs.mkdirSync(`${root}/folder`)
  for (const name of ['folder', 'none', 'none/none']) {
    expect(readFile(root, name, { limit: 9 })).toBe(undefined)
  }
})

it.runIf(isPosix)(onPosix('reading does not wait for a pipe'), () => {
  const { root } = makePlace()
  makePipe(`${root}/pipe`)
  expect(readFile(root, 'pipe')).toBe(undefined)
})

it('replacing leaves the old file and nothing else if writing fails', () => {
  const { root } = makePlace()
  replaceFile(root, 'file', 'old')
  const fail = () => {
    throw new Error('no room')
  }
  expect(() => replaceFile(root, 'file', fail)).toThrow('no room')
  expect(fs.readdirSync(root).sort()).toEqual(['file', 'link'])
  expect(readText(`${root}/file`)).toBe('old')
})

test.each(['file', 'folder/file'])('what is gone meanwhile is not replaced: %s', (name) => {
  const { root } = makePlace()
  const replace = () => replaceFile(root, name, 'new', { before: Buffer.from('old') })
  expect(replace).toThrow('"file" was changed meanwhile')
  expect(fs.readdirSync(root)).toEqual(['link'])
})

it('replacing writes beside the file, under a name that is told from others', () => {
  const { root } = makePlace()
  let seen: readonly string[] = []
  const name = 'long'.repeat(60)
  replaceFile(root, name, () => {
    seen = fs.readdirSync(root).filter((entry) => entry !== 'link')
  })
  expect(seen).toHaveLength(1)
  const gone = [`.a.4000000-${'0'.repeat(16)}.tmp`, ...seen]
  const others = texts('.gitignore¦a.tmp¦.a.tmp¦.a.1-x.tmp¦.a.4000000-12.tmp')
  const folder = `.a.4000000-${'1'.repeat(16)}.tmp`
  fs.mkdirSync(`${root}/${folder}`)
  for (const other of [...gone, ...others]) writeTree(root, { [other]: '' })
  expect(removeLeftBehind(root, '.')).toEqual(gone)
  expect(fs.readdirSync(root).sort()).toEqual([name, 'link', folder, ...others].sort())
})

test('creating leaves a file that is there as it is', () => {
  const { root } = makePlace()
  createFile(root, 'file', 'first')
  expect(() => createFile(root, 'file', 'second')).toThrow('EEXIST')
  expect(readText(`${root}/file`)).toBe('first')
  expect(fs.readdirSync(root).sort()).toEqual(['file', 'link'])
})

test('a folder that holds something is not removed as empty', () => {
  const { root } = makePlace()
  makeFolder(root, 'a/b')
  removeIfEmpty(root, 'a')
  removeIfEmpty(root, 'a/b')
  removeIfEmpty(root, 'none')
  expect(namesIn(root, 'a')).toEqual([])
})
