import fs from 'node:fs'
import { expect, test } from 'vitest'
import { sandbox, type Texts } from '../sandbox.ts'
import { createRandom } from '../snapshot/random.ts'
import {
  changeApi,
  changeFiles,
  createModel,
  importModel,
  type Model,
  owners,
  windowOf,
} from './archive-model.ts'
import { checkOf, contentOf, type Imported, importFrom } from './importing.ts'
import { type Legacy, legacyMember, legacyShot } from './legacy.ts'

/** How many random lives of an archive; RUNS=1000 for the full measure. */
const runs = Number(process.env.RUNS ?? 4)

const legacyOf = (model: Model): Legacy =>
  Object.fromEntries(
    owners.map((owner, index) => {
      const shots = windowOf(model, owner).map((id) =>
        legacyShot(id, index + 1, { title: model.api.get(id)!.title }),
      )
      return [owner, legacyMember(owner, index + 1, { shots })]
    }),
  )

/** Paths of the shots' files by id. */
const filesOf = (content: Texts) =>
  new Map(
    Object.entries(content)
      .filter(([file]) => file.includes('/shots/'))
      .map(([file, text]) => [Number(/^id: (\d+)/m.exec(text)![1]), file]),
  )

/** Does to the files what the editors of the model did. */
const edit = (folder: string, touched: readonly number[], { files }: Model) => {
  const content = contentOf(folder)
  const paths = filesOf(content)
  for (const id of new Set(touched)) {
    const below = paths.get(id)!
    const full = `${folder}/content/${below}`
    const file = files.get(id)
    if (file === undefined) {
      fs.rmSync(full)
      continue
    }
    const text = content[below]!.replace(/^draft: .*\n/m, '').replace(
      /^title: .*$/m,
      `title: ${file.title}${file.edited ? ' # by hand' : ''}`,
    )
    fs.writeFileSync(full, file.draft === 'no' ? text : `${text}draft: true\n`)
  }
}

/** Shots as lines: id, owner, title, and what became of them. */
const seen = (content: Texts) =>
  [...filesOf(content)]
    .map(([id, file]) => {
      const text = content[file]!
      const owner = file.split('/')[1]!
      const title = /^title: (\w+)/m.exec(text)![1]!
      return line(id, owner, title, [
        text.includes(' # by hand\n'),
        /^draft: true$/m.test(text),
      ])
    })
    .sort()

const expected = ({ files }: Model) =>
  Array.from(files, ([id, { owner, title, edited, draft }]) =>
    line(id, owner, title, [edited, draft !== 'no']),
  ).sort()

const line = (
  id: number,
  owner: string,
  title: string,
  [edited, draft]: readonly [boolean, boolean],
) => `${id} ${owner} ${title}${edited ? ' edited' : ''}${draft ? ' draft' : ''}`

/** What was told, as the model says it: the code, and the shot or the member. */
const toldOf = ({ told }: Imported, content: Texts) =>
  told
    .filter(({ code }) => code !== 'total-below-content')
    .map(({ code, message, file }) => {
      if (code === 'windows-apart' || code === 'too-many-vanished')
        return `${code} ${/\/(ana|bo)\//.exec(file)![1]}`
      const text = content[file.replace(/^content\//, '')] ?? ''
      return `${code} ${/shot (\d+)/.exec(message)?.[1] ?? /^id: (\d+)/m.exec(text)?.[1]}`
    })
    .sort()

test('shots enter, leave, vanish, return, move and are edited on both sides: all is as the rules say', {
  timeout: 60_000 + runs * 10_000,
}, async () => {
  for (let seed = 1; seed <= runs; seed++) {
    const random = createRandom(seed)
    const model = createModel()
    const folder = sandbox()
    for (let step = 0; step < 8; step++) {
      changeApi(model, random)
      if (step > 0) edit(folder, changeFiles(model, random), model)
      const told = importModel(model)
      const imported = await importFrom(legacyOf(model), folder, { names: owners })
      const content = contentOf(folder)
      const where = `seed ${seed}, step ${step}`
      expect(seen(content), where).toEqual(expected(model))
      expect(toldOf(imported, content), where).toEqual(told)
    }
    expect(await checkOf(folder), `seed ${seed}`).toEqual([])
  }
})
