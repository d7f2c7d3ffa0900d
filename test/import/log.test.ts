import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { noAnswers } from '../../scripts/import/keep/answers.ts'
import { openLog } from '../../scripts/import/keep/log.ts'
import { sandbox } from '../sandbox.ts'

const openIn = (folder: string) => openLog(folder, 'servers/one.jsonl')
const said = (body: string) => ({ https: { user: { status: 200, body } }, http: {} })

test('what answered last counts, and a new run begins with nobody done', () => {
  const folder = sandbox()
  const first = openIn(folder)
  first.putMark({ http: 'changed', since: 1 })
  first.putAnswers('ana', said('a'), { done: true })
  first.putAnswers('bo', said('b'), { done: false })
  first.putAnswers('ana', said('c'))
  const second = openIn(folder)
  expect([second.mark(), [...second.done()]]).toEqual([{ http: 'changed', since: 1 }, ['ana']])
  expect(['ana', 'bo', 'cy'].map(second.answers)).toEqual([said('c'), said('b'), noAnswers])
  second.putMark({})
  const third = openIn(folder)
  expect([third.mark(), [...third.done()], third.answers('ana')]).toEqual([{}, [], said('c')])
})

test('lines that are cut off or damaged count nothing, and spoil no other', () => {
  const folder = sandbox()
  const file = path.join(folder, 'servers/one.jsonl')
  const first = openIn(folder)
  first.putAnswers('ana', said('a'), { done: true })
  fs.appendFileSync(
    file,
    '\n5\nnull\n{"mark":null}\n{"name":"bo","https":null,"http":{}}\n{"name":"cy","https":{"us',
  )
  first.putAnswers('dee', said('d'))
  const second = openIn(folder)
  expect([second.mark(), [...second.done()]]).toEqual([{}, ['ana']])
  expect(['ana', 'bo', 'cy', 'dee'].map(second.answers)).toEqual([said('a'), noAnswers, noAnswers, said('d')])
})
