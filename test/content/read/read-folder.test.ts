import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sizeLimit } from '../../../scripts/content/layout.ts'
import { createOpenFolder, createReader } from '../../../scripts/content/read/read-file.ts'
import { isLinux, isPosix, onLinux, onPosix } from '../../posix.ts'
import { sandbox, writeTree } from '../../sandbox.ts'

afterEach(() => vi.restoreAllMocks())

const below = 'members/ana/shots'

const makeContent = (text: string | Buffer): string => {
  const folder = sandbox()
  fs.mkdirSync(path.join(folder, below), { recursive: true })
  fs.writeFileSync(path.join(folder, below, 'one.yaml'), text)
  return folder
}

const open = (content: string) => createOpenFolder({ path: content, name: 'content' })(below)

const noProc = (): void => {
  vi.spyOn(fs, 'readlinkSync').mockImplementation(() => {
    throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
  })
}

const files = [
  { what: 'text', bytes: 'title: Größe 名前 😀\n' },
  { what: 'nothing', bytes: '' },
  { what: 'a byte order mark', bytes: '\ufeffid: 1\n' },
  { what: 'the replacement character', bytes: 'title: \ufffd\n' },
  { what: 'bytes that are no UTF-8', bytes: Buffer.from([0x61, 0x0a, 0xff, 0x0a]) },
  { what: 'half a surrogate', bytes: Buffer.from([0xed, 0xa0, 0x80]) },
  { what: 'as much as a file may have', bytes: 'a'.repeat(sizeLimit) },
  { what: 'one byte more', bytes: 'a'.repeat(sizeLimit + 1) },
]

describe.each([
  { system: 'with a path to open folders', prepare: () => {} },
  { system: 'without one', prepare: noProc },
])('a file of an open folder, on a system $system', ({ prepare }) => {
  it.each(files)('is read as one by itself: $what', ({ bytes }) => {
    prepare()
    const content = makeContent(bytes)
    const { read, close } = open(content)
    const alone = createReader(content)(path.join(content, below, 'one.yaml'), `content/${below}/one.yaml`)
    expect(read('one.yaml', Buffer.byteLength(bytes))).toEqual(alone)
    close()
  })

  it('is too large also if it has grown since it was listed', () => {
    prepare()
    const { read, close } = open(makeContent('a'.repeat(sizeLimit + 1)))
    expect(read('one.yaml', 5).diagnostic).toMatchObject({ code: 'too-large' })
    close()
  })

  it.each(['two.yaml', ''])('is refused in words if it is not there: "%s"', (name) => {
    prepare()
    const { read, close } = open(makeContent('id: 1\n'))
    expect(() => read(name, 5)).toThrow(`can't read content/${below}/${name}`)
    close()
  })

  it.runIf(isPosix)(onPosix('is not read through a link that took its place'), () => {
    prepare()
    const content = makeContent('id: 1\n')
    const { read, close } = open(content)
    writeTree(content, { 'secret.yaml': 'id: 2\n' })
    const file = path.join(content, below, 'one.yaml')
    fs.rmSync(file)
    fs.symlinkSync(path.join(content, 'secret.yaml'), file)
    expect(() => read('one.yaml', 6)).toThrow(`can't read content/${below}/one.yaml`)
    close()
  })

  it.each([below, 'members/ana'])('is never one of a folder that a link leads to: %s', (swapped) => {
    prepare()
    const content = makeContent('id: 1\n')
    const outside = makeContent('secret: 1\n')
    const swap = (): void => {
      fs.renameSync(path.join(content, swapped), path.join(content, 'away'))
      fs.symlinkSync(path.join(outside, swapped), path.join(content, swapped), 'junction')
    }
    const before = open(content)
    swap()
    const after = open(content)
    for (const { read, close } of [before, after]) {
      let text: string | undefined
      try {
        text = read('one.yaml', 6).source?.text
      } catch (error) {
        expect((error as Error).message).toBe(`can't read content/${below}/one.yaml`)
      }
      expect([undefined, 'id: 1\n']).toContain(text)
      close()
    }
  })
})

it.runIf(isLinux)(onLinux('no folder stays open', 'a list of what is open'), () => {
  const content = makeContent('id: 1\n')
  const before = fs.readdirSync('/proc/self/fd').length
  for (let turn = 0; turn < 20; turn++) open(content).close()
  for (let turn = 0; turn < 20; turn++) {
    createOpenFolder({ path: content, name: 'content' })('members/nobody').close()
  }
  expect(fs.readdirSync('/proc/self/fd').length).toBe(before)
})
