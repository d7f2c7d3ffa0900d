import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type IndexedStat, oidSize, readGitIndex } from '../../scripts/snapshot/git-index.ts'
import { makeSandbox, writeTree } from './sandbox.ts'

type Known = IndexedStat & { readonly path: string; readonly oid: string }

const git = (folder: string, args: readonly string[], input = ''): string =>
  execFileSync('git', ['-C', folder, '-c', 'core.quotePath=false', ...args], {
    encoding: 'utf8',
    input,
    maxBuffer: 2 ** 28,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  })

const repository = (version: number, tree: Readonly<Record<string, string>>): string => {
  const folder = makeSandbox()
  git(folder, ['init', '-q'])
  git(folder, ['config', 'index.version', String(version)])
  writeTree(folder, tree)
  git(folder, ['add', '.'])
  return folder
}

const indexOf = (folder: string): string => path.join(folder, '.git/index')

/** As the project reads it. */
const read = (file: string): Known[] => {
  const known: Known[] = []
  const readable = readGitIndex(file, (entry) => {
    const oid = Buffer.alloc(oidSize)
    entry.copyOid(oid, 0)
    const name = Buffer.from(entry.path, 'latin1').toString()
    known.push({ path: name, oid: oid.toString('hex'), ...entry.stat() })
  })
  expect(readable).toBe(true)
  return known
}

/** As git says it. */
const listed = (folder: string): Known[] => {
  const oids = git(folder, ['ls-files', '--stage']).trim().split('\n')
  const stats = git(folder, ['ls-files', '--debug'])
    .trim()
    .split(/\n(?=\S)/)
  return stats.flatMap((text, at) => {
    const [, mode, oid, stage] = /^(\d+) (\w+) (\d)\t/.exec(oids[at]!)!
    const part = (pattern: RegExp): number[] => pattern.exec(text)!.slice(1).map(Number)
    const time = ([seconds, nanoseconds]: number[]): number => seconds! * 1000 + nanoseconds! / 1e6
    if (!mode!.startsWith('100') || stage !== '0') return []
    return {
      path: text.split('\n')[0]!,
      oid: oid!,
      ctimeMs: time(part(/ctime: (\d+):(\d+)/)),
      mtimeMs: time(part(/mtime: (\d+):(\d+)/)),
      ino: part(/ino: (\d+)/)[0]!,
      size: part(/size: (\d+)/)[0]!,
    }
  })
}

/** An index with the paths as they are in it, and everything else zero. */
const makeIndex = (version: number, paths: readonly Buffer[]): Buffer => {
  const header = Buffer.from('DIRC\0\0\0\0\0\0\0\0')
  header.writeUInt32BE(version, 4)
  header.writeUInt32BE(paths.length, 8)
  const entries = paths.map((name) => {
    const entry = Buffer.alloc(version === 4 ? 62 + name.length + 1 : (62 + name.length + 8) & ~7)
    entry.writeUInt32BE(0o100644, 24)
    name.copy(entry, 62)
    return entry
  })
  return Buffer.concat([header, ...entries, Buffer.alloc(20)])
}

const tree = {
  'a.yaml': 'a\n',
  'content/members/ana-b/profile.yaml': 'ana-b\n',
  'content/members/ana/profile.yaml': 'ana\n',
  'content/members/ana/shots/größe.yaml': 'ä\n',
  'content/members/ana/shots/größer.yaml': 'äh\n',
  ...Object.fromEntries(
    Array.from({ length: 16 }, (_, length) => [`padding/${'x'.repeat(length + 1)}`, `${length}`]),
  ),
}

describe('a git index', () => {
  it.each([2, 4])('of version %i is read as git reads it', (version) => {
    const folder = repository(version, tree)
    expect(fs.readFileSync(indexOf(folder)).readUInt32BE(4)).toBe(version)
    expect(read(indexOf(folder))).toEqual(listed(folder))
    expect(read(indexOf(folder))).toHaveLength(Object.keys(tree).length)
  })

  it.each([3, 4])('of version %i with longer entries is read as git reads it', (version) => {
    const folder = repository(version, tree)
    git(folder, ['update-index', '--skip-worktree', 'a.yaml', 'padding/xxx'])
    git(folder, ['update-index', '--assume-unchanged', 'padding/xx'])
    expect(fs.readFileSync(indexOf(folder)).readUInt32BE(4)).toBe(version)
    expect(read(indexOf(folder))).toEqual(listed(folder))
  })

  it.each([2, 4])('of version %i is read in several pieces', (version) => {
    const folder = repository(version, {})
    const oid = (at: number) => at.toString(16).padStart(40, '0')
    const lines = Array.from(
      { length: 40_000 },
      (_, at) => `100644 ${oid(at + 1)}\tm/${at}/${'long/'.repeat(at % 50)}${at % 977}.yaml\n`,
    )
    git(folder, ['update-index', '--index-info'], lines.join(''))
    expect(fs.statSync(indexOf(folder)).size).toBeGreaterThan(3 << 20)
    expect(read(indexOf(folder))).toEqual(listed(folder))
  })

  it('gives neither links, nor submodules, nor what is unmerged', () => {
    const folder = repository(2, { 'plain.yaml': '', 'program.yaml': '' })
    git(folder, ['update-index', '--chmod=+x', 'program.yaml'])
    const oid = '1'.repeat(40)
    const others = [
      `120000 ${oid}\tlink`,
      `160000 ${oid}\tmodule`,
      `100644 ${oid} 1\tours`,
      `100644 ${oid} 2\tours`,
    ]
    git(folder, ['update-index', '--index-info'], others.map((line) => `${line}\n`).join(''))
    expect(read(indexOf(folder)).map((file) => file.path)).toEqual(['plain.yaml', 'program.yaml'])
  })

  it.each([
    { what: 'a path that no system opens', paths: ['x'.repeat(4097)] },
    { what: 'no path', paths: [''] },
    { what: 'paths out of order', paths: ['b', 'a'] },
  ])('is not read with $what', ({ paths }) => {
    const file = path.join(makeSandbox(), 'index')
    fs.writeFileSync(
      file,
      makeIndex(
        2,
        paths.map((name) => Buffer.from(name)),
      ),
    )
    expect(readGitIndex(file, () => {})).toBe(false)
  })

  it('is not read where a path keeps more than there was', () => {
    const file = path.join(makeSandbox(), 'index')
    const [first, second] = [Buffer.from('\0ab'), Buffer.from('\x03c')]
    fs.writeFileSync(file, makeIndex(4, [first, second]))
    expect(readGitIndex(file, () => {})).toBe(false)
    second[0] = 2
    fs.writeFileSync(file, makeIndex(4, [first, second]))
    expect(read(file).map((entry) => entry.path)).toEqual(['ab', 'c'])
  })

  it('is not read where it is cut off, or something else', () => {
    const folder = repository(4, tree)
    const bytes = fs.readFileSync(indexOf(folder))
    const file = path.join(folder, 'cut')
    const ends = Array.from({ length: Math.floor(bytes.length / 7) }, (_, part) => part * 7)
    for (const end of ends) {
      fs.writeFileSync(file, bytes.subarray(0, end))
      let taken = 0
      const whole = readGitIndex(file, () => taken++)
      expect(whole, `after ${end} bytes`).toBe(taken === Object.keys(tree).length)
    }
    fs.writeFileSync(file, bytes.subarray(0, 200))
    expect(readGitIndex(file, () => {})).toBe(false)
    fs.writeFileSync(file, Buffer.concat([Buffer.from('DIRX'), bytes.subarray(4)]))
    expect(readGitIndex(file, () => {})).toBe(false)
    bytes.writeUInt32BE(5, 4)
    fs.writeFileSync(file, bytes)
    expect(readGitIndex(file, () => {})).toBe(false)
    bytes.writeUInt32BE(2, 4)
    bytes.writeUInt32BE(0xffffffff, 8)
    fs.writeFileSync(file, bytes)
    expect(readGitIndex(file, () => {})).toBe(false)
  })
})
