import fs from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { isOneFile, realPath } from '../../scripts/files/folder.ts'
import { findProgram } from '../../scripts/files/program.ts'
import { respell } from '../../scripts/files/write.ts'
import { isThere, namesIn, sandbox } from '../sandbox.ts'

test('a real path leads through no link', () => {
  const folder = fs.realpathSync(sandbox({ 'there/file': '' }))
  fs.symlinkSync(path.join(folder, 'there'), path.join(folder, 'link'), 'junction')
  expect(realPath(path.join(folder, 'link/file'))).toBe(path.join(folder, 'there', 'file'))
  expect(() => realPath(path.join(folder, 'nowhere'))).toThrow('ENOENT')
})

test('two spellings are two entries where the disk tells them apart, else one that gets the spelling wanted', () => {
  const folder = sandbox({ 'names/ana/file': 'text', 'names/bo/file': '' })
  // as on macOS and Windows, where the workflow runs this, and in Wine
  const isOne = isThere(folder, 'names/ANA')
  const inside = (name: string) => path.join(folder, 'names', name)
  expect(isOneFile(inside('ana'), inside('ANA'))).toBe(isOne)
  expect(isOneFile(inside('bo'), inside('ANA'))).toBe(false)
  respell(folder, 'names/ANA')
  expect(namesIn(folder, 'names').sort()).toEqual([isOne ? 'ANA' : 'ana', 'bo'])
})

const runs = (folder: string, name: string) => {
  const file = path.join(folder, process.platform === 'win32' ? `${name}.exe` : name)
  fs.writeFileSync(file, '', { mode: 0o755 })
  return file
}

test('a program is found in the first folder of PATH that has it', () => {
  const folder = sandbox({ 'a/file': '', 'b/file': '', 'c/file': '' })
  const file = runs(path.join(folder, 'b'), 'tool')
  runs(path.join(folder, 'c'), 'tool')
  vi.stubEnv(
    'PATH',
    ['a', 'b', 'c'].map((name) => path.join(folder, name)).join(path.delimiter),
  )
  expect(findProgram('tool')).toBe(file)
  expect(findProgram('other')).toBe(undefined)
})

test('a program is not looked for in the working folder, nor is a folder one', () => {
  const folder = sandbox({ 'tool/file': '', 'tool.exe/file': '' })
  runs(folder, 'here')
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  vi.stubEnv('PATH', ['', '.', folder].join(path.delimiter))
  expect(findProgram('tool')).toBe(undefined)
  vi.stubEnv('PATH', ['', '.'].join(path.delimiter))
  expect(findProgram('here')).toBe(undefined)
})
