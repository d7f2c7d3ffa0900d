import fs from 'node:fs'
import { expect, test, vi } from 'vitest'
import { holdFiles } from '../../scripts/files/late.ts'
import { replaceFile } from '../../scripts/files/write.ts'
import { namesIn, readText, sandbox } from '../sandbox.ts'

test('what a program writes into a file that was replaced meanwhile is put beside it', () => {
  vi.useFakeTimers()
  const folder = sandbox({ 'a.yaml': 'one\n', 'b.yaml': 'b\n' })
  const told: string[] = []
  const editor = fs.openSync(`${folder}/a.yaml`, 'a')
  const held = holdFiles(folder, ['a.yaml', 'b.yaml', 'none.yaml'], {
    onLate: (...one) => told.push(...one),
    onFailure: (error) => expect.unreachable(String(error)),
  })
  for (const [name, text] of [
    ['a.yaml', 'one\n'],
    ['b.yaml', 'b\n'],
  ] as const)
    replaceFile(folder, name, 'ours\n', { before: Buffer.from(text) })
  held.look()
  fs.writeSync(editor, 'two\n')
  fs.closeSync(editor)
  vi.runAllTimers()
  vi.useRealTimers()
  const [file, copy = ''] = told
  expect(file).toBe('a.yaml')
  expect(namesIn(folder, '.').sort()).toEqual(['a.yaml', copy, 'b.yaml'])
  expect(copy).toMatch(/~$/)
  expect(readText(`${folder}/${copy}`)).toBe('one\ntwo\n')
  expect(readText(`${folder}/a.yaml`)).toBe('ours\n')
})
