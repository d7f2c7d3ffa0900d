import fs from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { realPath } from '../../scripts/files/folder.ts'
import { findProgram } from '../../scripts/files/program.ts'
import { isOneEntry, rename, respell } from '../../scripts/files/write.ts'
import { sandbox } from '../sandbox.ts'

test('a name gets its new letter case', () => {
  const folder = sandbox({ 'ana/file': 'text' })
  rename(path.join(folder, 'ana'), path.join(folder, 'ANA'))
  expect(fs.readdirSync(folder)).toEqual(['ANA'])
})

test('a name gets its new letter case where the system takes it for the old one', () => {
  const folder = sandbox({ 'ana/file': 'text' })
  const from = path.join(folder, 'ana')
  const to = path.join(folder, 'ANA')
  const renameSync = fs.renameSync
  vi.spyOn(fs, 'renameSync').mockImplementation((one, other) => {
    if (one !== from || other !== to) renameSync(one, other)
  })
  rename(from, to)
  expect(fs.readdirSync(folder)).toEqual(['ANA'])
})

test('a real path leads through no link', () => {
  const folder = fs.realpathSync(sandbox({ 'there/file': '' }))
  fs.symlinkSync(path.join(folder, 'there'), path.join(folder, 'link'), 'junction')
  expect(realPath(path.join(folder, 'link/file'))).toBe(path.join(folder, 'there', 'file'))
  expect(() => realPath(path.join(folder, 'nowhere'))).toThrow('ENOENT')
})

/** From now on the disk finds what is called `ana` as `ANA` too. */
const ignoreCase = (): void => {
  const { lstatSync } = fs
  vi.spyOn(fs, 'lstatSync').mockImplementation(((file: string, options: object) =>
    lstatSync(file.replace(/ANA$/, 'ana'), options)) as typeof fs.lstatSync)
}

test('two spellings are two entries, and none is touched, where the disk tells them apart', (context) => {
  const folder = sandbox({ 'names/ana/file': 'text' })
  if (fs.existsSync(path.join(folder, 'names/ANA'))) context.skip('this disk does not')
  expect(isOneEntry(folder, 'names/ana', 'names/ANA')).toBe(false)
  respell(folder, 'names/ANA')
  expect(fs.readdirSync(path.join(folder, 'names'))).toEqual(['ana'])
})

test('two spellings are one entry where it does not, which gets the one that is wanted', () => {
  const folder = sandbox({ 'names/ana/file': 'text', 'names/bo/file': '' })
  ignoreCase()
  expect(isOneEntry(folder, 'names/ana', 'names/ANA')).toBe(true)
  expect(isOneEntry(folder, 'names/bo', 'names/ANA')).toBe(false)
  respell(folder, 'names/ANA')
  expect(fs.readdirSync(path.join(folder, 'names'))).toEqual(['ANA', 'bo'])
})

const runs = (folder: string, name: string): string => {
  const file = path.join(folder, process.platform === 'win32' ? `${name}.exe` : name)
  fs.writeFileSync(file, '', { mode: 0o755 })
  return file
}

test('a program is found in the first folder of PATH that has it', () => {
  const folder = sandbox({ 'a/file': '', 'b/file': '', 'c/file': '' })
  const file = runs(path.join(folder, 'b'), 'tool')
  runs(path.join(folder, 'c'), 'tool')
  vi.stubEnv('PATH', ['a', 'b', 'c'].map((name) => path.join(folder, name)).join(path.delimiter))
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
