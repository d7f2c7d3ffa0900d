import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createReader, peek } from '../../scripts/content/read.ts'
import { sandbox, writeTree } from '../sandbox.ts'

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
    if (!name.endsWith('/one.yaml')) return open(name, ...rest)
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

const systems = [
  {
    what: 'where the system says where an open file lies',
    prepare: () => {},
    skip: process.platform !== 'linux',
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

it.runIf(process.platform === 'linux')('a folder swapped and swapped back is not read through', () => {
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

  it.runIf(process.platform === 'linux').each(['moved', 'removed', 'replaced'])(
    'from a file that is %s meanwhile',
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
