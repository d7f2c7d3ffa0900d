import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openBodies } from '../../scripts/import/keep/bodies.ts'
import { sandbox } from '../sandbox.ts'

const bytes = (text: string) => Buffer.from(text)
const openIn = (folder: string) => openBodies(folder, 'bodies.bin')

test('a body is found again by its name, and a damaged one is not', () => {
  const folder = sandbox()
  const first = openIn(folder)
  const names = ['one', '', 'three'].map((text) => first.putBody(bytes(text), undefined))
  first.close()
  const second = openIn(folder)
  expect(names.map((name) => String(second.body(name)))).toEqual(['one', '', 'three'])
  fs.writeFileSync(path.join(folder, 'bodies.bin'), 'onethreE')
  expect(names.map((name) => second.body(name) !== undefined)).toEqual([true, true, false])
  expect([second.body('one'), second.body('')]).toEqual([undefined, undefined])
  second.close()
})

test('a body that came before keeps its name, unless it was damaged', () => {
  const folder = sandbox()
  const bodies = openIn(folder)
  const name = bodies.putBody(bytes('same'), undefined)
  expect(bodies.putBody(bytes('same'), name)).toBe(name)
  fs.writeFileSync(path.join(folder, 'bodies.bin'), 'xxxx')
  const again = bodies.putBody(bytes('same'), name)
  expect([again === name, String(bodies.body(again))]).toEqual([false, 'same'])
  bodies.close()
})

test('two imports at once, and one that was killed, do not mix bodies up', () => {
  const folder = sandbox()
  const [one, two] = [openIn(folder), openIn(folder)]
  const names = [
    one.putBody(bytes('a'), undefined),
    two.putBody(bytes('bb'), undefined),
    one.putBody(bytes('ccc'), undefined),
  ]
  fs.appendFileSync(path.join(folder, 'bodies.bin'), 'half of a bo')
  names.push(two.putBody(bytes('dddd'), undefined))
  expect(names.map((name) => String(one.body(name)))).toEqual(['a', 'bb', 'ccc', 'dddd'])
  one.close()
  two.close()
})

test('nothing is written where no body comes', () => {
  const folder = sandbox()
  const bodies = openIn(folder)
  expect(bodies.body(`${'0'.repeat(64)} 0 3`)).toBe(undefined)
  bodies.close()
  expect(fs.readdirSync(folder)).toEqual([])
})
