import { hash } from 'node:crypto'
import fs from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { sizeLimit } from '../../../scripts/content/layout.ts'
import { createReader, readStart } from '../../../scripts/content/read/read-file.ts'
import { listMembers, scanMember } from '../../../scripts/content/read/scan.ts'
import { makeFolder, removeFrom, sandbox, writeTree } from '../../sandbox.ts'
import { rowsOf } from '../../tables.ts'

const file = 'members/ana/shots/one.yaml'

const contentIn = (bytes: string | Buffer) => {
  const folder = sandbox({ 'content/members/ana/profile.yaml': 'id: 1\n' })
  const content = { path: `${folder}/content`, name: 'content' }
  makeFolder(content.path, 'members/ana/shots')
  fs.writeFileSync(`${content.path}/${file}`, bytes)
  return { folder, content }
}

const gitOid = (text: string) => hash('sha1', `blob ${Buffer.byteLength(text)}\0${text}`)

test.each([
  ['text', 'title: Größe 名前 😀\n'],
  ['nothing', ''],
  ['a byte order mark', '\ufeffid: 1\n'],
  ['the replacement character', 'title: \ufffd\n'],
  ['as much as a file may have', 'a'.repeat(sizeLimit)],
])('a file is read with the name that git gives to its bytes: %s', (_, text) => {
  const { content } = contentIn(text)
  const source = { file: `content/${file}`, text: text.replace(/^\ufeff/, '') }
  const expected = { oid: gitOid(text), source }
  expect(createReader(content)(file)).toEqual(expected)
  expect(createReader(content)(file, Buffer.byteLength(text))).toEqual(expected)
})

test.each(
  rowsOf(`
    a byte of another encoding → 61 0a ff 0a → 2:1
    UTF-16 without a mark → 69 00 64 00 3a 00 20 00 31 00 0a 00 → 1:2
    half a surrogate → ed a0 80 → 1:1
    the replacement character, then such a byte → ef bf bd ff → 1:2
  `),
)('what is no UTF-8 is told with its place: %s', (_, hex, place) => {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
  const { diagnostic } = createReader(contentIn(bytes).content)(file)
  expect(`${diagnostic?.code} ${diagnostic?.line}:${diagnostic?.column}`).toBe(
    `not-utf8 ${place}`,
  )
})

test.each([
  ['{\\rtf1\\ansi\nid: 1\n}', 'rich text (RTF)'],
  ['<!DOCTYPE html>\n<p>id: 1</p>', 'HTML or XML'],
  ['%PDF-1.4\n1 0 obj', 'a PDF'],
  [Buffer.from('504b030414000600ff', 'hex'), 'a document of Word'],
  [Buffer.from('89504e470d0a', 'hex'), 'a picture'],
])('a file of another kind under the name of content is told: %s', (bytes, is) => {
  const { diagnostic, source } = createReader(contentIn(bytes).content)(file)
  expect(diagnostic).toMatchObject({ code: 'not-text', message: expect.stringContaining(is) })
  expect(source).toBeUndefined()
})

test('a file is too large also if it has grown since it was listed', () => {
  const { content } = contentIn('a'.repeat(sizeLimit + 1))
  for (const size of [undefined, 5]) {
    expect(createReader(content)(file, size).diagnostic).toMatchObject({ code: 'too-large' })
  }
})

test.each(['members/ana/two.yaml', 'members/ana/shots', `${file}/below`])(
  'what is gone, or another thing by now, is refused in words: %s',
  (below) => {
    const { content } = contentIn('id: 1\n')
    expect(() => createReader(content)(below, 6)).toThrow(`can't read content/${below}`)
    expect(readStart(content.path, below, { length: 3 })).toBeUndefined()
  },
)

describe.skipIf(process.platform === 'win32')(
  'a link is not followed (Windows needs rights to make one)',
  () => {
    it('in place of a file', () => {
      const { content } = contentIn('id: 1\n')
      writeTree(content.path, { 'secret.yaml': 'id: 2\n' })
      removeFrom(content.path, file)
      fs.symlinkSync(`${content.path}/secret.yaml`, `${content.path}/${file}`)
      expect(() => createReader(content)(file, 6)).toThrow(`can't read content/${file}`)
      expect(readStart(content.path, file, { length: 3 })).toBeUndefined()
      expect(scanMember('ana', content)).toMatchObject({
        shots: [],
        diagnostics: [{ code: 'symbolic-link' }],
      })
    })

    it.each(['members', 'members/ana', 'members/ana/shots'])(
      'in place of a folder: %s',
      (below) => {
        const { folder, content } = contentIn('id: 1\n')
        fs.renameSync(`${content.path}/${below}`, `${folder}/away`)
        fs.symlinkSync(`${folder}/away`, `${content.path}/${below}`)
        const scan = () => scanMember('ana', content)
        if (below.endsWith('shots'))
          expect(scan().diagnostics).toMatchObject([{ code: 'symbolic-link' }])
        else {
          expect(scan).toThrow('leads through a symbolic link')
          expect(listMembers(content)).toMatchObject({
            members: [],
            diagnostics: [{ code: 'symbolic-link' }],
          })
        }
        expect(readStart(content.path, file, { length: 3 })).toBeUndefined()
      },
    )

    it('but the content folder may be one itself', () => {
      const { content } = contentIn('id: 1\n')
      fs.symlinkSync(content.path, `${content.path}.link`)
      const linked = { path: `${content.path}.link`, name: 'content' }
      expect(createReader(linked)(file).source?.text).toBe('id: 1\n')
      expect(readStart(linked.path, file, { length: 3 })?.toString()).toBe('id:')
    })
  },
)
