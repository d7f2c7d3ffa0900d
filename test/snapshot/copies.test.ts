import path from 'node:path'
import { expect, it } from 'vitest'
import { proposeId } from '../../scripts/content/ids.ts'
import { isCopy } from '../../scripts/content/layout.ts'
import { sandbox } from '../sandbox.ts'
import { anaAlone, profileYaml, shotYaml } from '../site.ts'
import { rowsOf, texts } from '../tables.ts'
import { checkIn } from './building.ts'

/**
 * What is told of shots of one member, all with the id 12: the file blamed, the one that
 * keeps the id, the hint.
 */
const blame = async (...names: string[]) => {
  const folder = sandbox({
    ...anaAlone,
    ...Object.fromEntries(
      names.map((name) => [`content/members/ana/shots/${name}.yaml`, shotYaml(12)]),
    ),
  })
  const { diagnostics } = await checkIn(folder)
  return diagnostics.map(
    ({ file, related, hint }) =>
      `${path.basename(file, '.yaml')} < ${path.basename(related![0]!.file, '.yaml')}: ${hint}`,
  )
}

it.each(
  texts(
    'poster - Copy¦poster - Copy (2)¦poster (1)¦Copy of poster¦poster 2',
    'poster (Kim’s conflicted copy 2024-05-01)¦poster_copy¦poster – Kopie',
    'Copy (2) of poster',
  ),
)(
  'of two shots with one id, the copy is to change, and a free id is named: %s',
  async (copy) =>
    expect(await blame(copy, 'poster')).toEqual([
      expect.stringContaining(
        `${copy} < poster: write a free number: id: ${proposeId(`ana/${copy}`)}; or remove`,
      ),
    ]),
)

it.each(
  rowsOf(`
    b → a → 623462012
    poster-2 → flyer → 445029357
  `),
)(
  'of two shots with one id and no copy, the later one in the order of the files is to change: %s, not %s',
  async (later, first, id) =>
    expect(await blame(later, first)).toEqual([
      `${later} < ${first}: write a free number in the newer of the two: id: ${id}`,
    ]),
)

it('of two files that differ in their ending alone, one may be removed', async () => {
  const folder = sandbox({
    ...anaAlone,
    'content/members/ana/shots/tea.yaml': shotYaml(11),
    'content/members/ana/shots/tea.yml': shotYaml(11),
  })
  const { diagnostics } = await checkIn(folder)
  expect(diagnostics).toMatchObject([
    { hint: expect.stringContaining('tea.yml", if nobody needs') },
  ])
})

it('of a folder that was copied, the copy is to change', async () => {
  const folder = sandbox({
    ...anaAlone,
    'content/members/ana - Kopie/profile.yaml': profileYaml(1),
  })
  const { diagnostics } = await checkIn(folder)
  expect(diagnostics).toMatchObject([
    { hint: 'rename the folder to "ana-Kopie", or remove it, if nobody needs that copy' },
    { file: expect.stringContaining('Kopie'), code: 'duplicate-member-id' },
  ])
})

it('a name that is no copy is not taken for one', () => {
  for (const name of texts('poster¦copy¦photocopy¦copyright¦poster-2¦(1)')) {
    expect(isCopy(name), name).toBe(false)
  }
})
