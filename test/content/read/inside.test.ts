import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createReader, peek } from '../../../scripts/content/read/read-file.ts'
import { listMembers, scanMember } from '../../../scripts/content/read/scan.ts'
import { isLinux, onLinux } from '../../posix.ts'
import { sandbox, writeTree } from '../../sandbox.ts'

afterEach(() => vi.restoreAllMocks())

const file = 'members/ana/shots/one.yaml'

/** A content folder, and one outside of it with files of the same names. */
const twoTrees = (): { readonly content: string; readonly outside: string } => {
  const folder = sandbox({ [`content/${file}`]: 'id: 1\n', 'outside/one.yaml': 'secret: 1\n' })
  writeTree(folder, { 'outside/shots/one.yaml': 'secret: 1\n' })
  return { content: path.join(folder, 'content'), outside: path.join(folder, 'outside') }
}

/** Calls `before` and `after` around the opening of the file. */
const aroundOpening = (before: () => void, after = () => {}): void => {
  const open = fs.openSync
  vi.spyOn(fs, 'openSync').mockImplementation(((name: string, ...rest: [never]) => {
    if (path.basename(name) !== 'one.yaml') return open(name, ...rest)
    before()
    const descriptor = open(name, ...rest)
    after()
    return descriptor
  }) as never)
}

const swap = (folder: string, outside: string): void => {
  fs.renameSync(folder, `${folder}.away`)
  fs.symlinkSync(outside, folder, 'junction')
}

const swapBack = (folder: string): void => {
  fs.rmSync(folder)
  fs.renameSync(`${folder}.away`, folder)
}

const whereOpen = 'a place that says where an open file lies'

const systems = [
  {
    what: 'where the system says where an open file lies',
    prepare: () => {},
    skip: !isLinux,
  },
  {
    what: 'where it does not',
    prepare: () => {
      vi.spyOn(fs, 'readlinkSync').mockImplementation(() => {
        throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
      })
    },
    skip: false,
  },
]

describe.each(systems.filter(({ skip }) => !skip))(
  'a folder replaced by a link after it was listed, $what',
  ({ prepare }) => {
    it.each(['members/ana/shots', 'members/ana'])('is not read through: %s', (below) => {
      const { content, outside } = twoTrees()
      prepare()
      const reader = createReader(content)
      aroundOpening(() => swap(path.join(content, below), outside))
      expect(() => reader(path.join(content, file), `content/${file}`)).toThrow(`can't read content/${file}`)
    })

    it('is not looked at for a hint either', () => {
      const { content, outside } = twoTrees()
      prepare()
      aroundOpening(() => swap(path.join(content, 'members/ana/shots'), outside))
      expect(peek(path.join(content, file), content)).toBeUndefined()
    })
  },
)

describe.each(systems.filter(({ skip }) => !skip))(
  'names are not taken from a folder that a link leads to, $what',
  ({ prepare }) => {
    it.each(['members', 'members/ana', 'members/ana/shots', 'members/ana/other'])('%s', (below) => {
      const { content, outside } = twoTrees()
      writeTree(content, { 'members/ana/profile.yaml': '', 'members/ana/other/one.yaml': '' })
      prepare()
      atListing(path.join(content, below), () => swap(path.join(content, below), outside))
      const list = () => [
        listMembers({ path: content, name: 'content' }),
        scanMember('ana', { path: content, name: 'content' }),
      ]
      expect(list).toThrow(`${path.join(content, below)} leads out of the content folder`)
    })
  },
)

/** Calls something between the moment that a folder is known to be there and its listing, by whatever call. */
const atListing = (folder: string, before: () => void): void => {
  let done = false
  for (const call of ['openSync', 'readdirSync', 'opendirSync'] as const) {
    const real = fs[call] as (...args: unknown[]) => unknown
    vi.spyOn(fs, call).mockImplementation(((name: string, ...rest: unknown[]) => {
      if (name === folder && !done) {
        done = true
        before()
      }
      return real(name, ...rest)
    }) as never)
  }
}

it.runIf(isLinux)(onLinux('a folder swapped and swapped back is not listed through', whereOpen), () => {
  const { content, outside } = twoTrees()
  const shots = path.join(content, 'members/ana/shots')
  writeTree(outside, { 'secret.yaml': '' })
  const list = fs.readdirSync
  let listings = 0
  vi.spyOn(fs, 'readdirSync').mockImplementation(((name: string, ...rest: [never]) => {
    if (++listings === 1) return list(name, ...rest)
    swap(shots, outside)
    const listed = list(name, ...rest)
    swapBack(shots)
    return listed
  }) as never)
  expect(scanMember('ana', { path: content, name: 'content' }).shots).toEqual(['one.yaml'])
})

it.runIf(isLinux)(onLinux('a folder swapped and swapped back is not read through', whereOpen), () => {
  const { content, outside } = twoTrees()
  const reader = createReader(content)
  const shots = path.join(content, 'members/ana/shots')
  aroundOpening(
    () => swap(shots, outside),
    () => swapBack(shots),
  )
  expect(() => reader(path.join(content, file), file)).toThrow(`can't read ${file}`)
})

describe('content is read', () => {
  const textOf = (content: string) => createReader(content)(path.join(content, file), file).source?.text

  it('below a folder that is a link itself', () => {
    const { content } = twoTrees()
    fs.symlinkSync(content, `${content}.link`, 'junction')
    expect(textOf(`${content}.link`)).toBe('id: 1\n')
  })

  it.runIf(isLinux).each(['moved', 'removed', 'replaced'])(
    onLinux('from a file that is %s meanwhile', whereOpen),
    (what) => {
      const { content } = twoTrees()
      const place = path.join(content, file)
      aroundOpening(
        () => {},
        () => {
          if (what === 'removed') fs.rmSync(place)
          else fs.renameSync(place, path.join(content, 'other.yaml'))
          if (what === 'replaced') fs.writeFileSync(place, 'id: 2\n')
        },
      )
      expect(textOf(content)).toBe('id: 1\n')
    },
  )

  it('by the same reader after the content folder was moved and made anew', () => {
    const { content } = twoTrees()
    fs.renameSync(content, `${content}.real`)
    fs.symlinkSync(`${content}.real`, content, 'junction')
    const reader = createReader(content)
    fs.rmSync(content)
    fs.renameSync(`${content}.real`, content)
    expect(reader(path.join(content, file), file).source?.text).toBe('id: 1\n')
  })
})
