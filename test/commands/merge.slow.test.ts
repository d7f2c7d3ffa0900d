import { expect, test } from 'vitest'
import { expectRefusal, type Outcome, runIn } from '../processes.ts'
import { isThere, sandbox } from '../sandbox.ts'
import { site } from '../site.ts'
import { rowsOf } from '../tables.ts'

/** Builds three shards, each with a state of its own, then merges them. */
const buildAndMerge = (folder: string, format: string) => {
  for (const at of [1, 2, 3])
    runIn(folder, `build --shard ${at}/3 --out shard-${at} --state state-${at}`)
  const states = '--state state-1 --state state-2 --state state-3'
  return runIn(
    folder,
    `merge shard-1 shard-2 shard-3 --out dist ${states} --format ${format}`,
  )
}

test('a merge prints what check prints of a clash, writes nothing, and exits with 1', () => {
  const folder = sandbox({
    ...site,
    'content/members/one/profile.yaml': 'id: 900\nname: One\n',
    'content/members/two/profile.yaml': 'id: 900\nname: Two\naliases: [One]\n',
    'content/members/three/profile.yaml': 'id: 901\nname: Three\naliases: [TWO]\n',
  })
  for (const format of ['pretty', 'json']) {
    const merged = buildAndMerge(folder, format)
    const checked = runIn(folder, `check --format ${format}`)
    expect(checked.status).toBe(1)
    expect(merged.status).toBe(1)
    const said = ({ stdout, stderr }: Outcome) =>
      [stdout, stderr].map((text) =>
        text.replace('nothing was written: dist is as it was\n', ''),
      )
    expect(said(merged)).toEqual(said(checked))
  }
  expect(isThere(folder, 'dist')).toBe(false)
})

test.each(
  rowsOf(`
    build --shard 4/3 → --shard takes I/N, not "4/3"
    merge → DIR… is missing
    merge nowhere → there is no state of a shard for "nowhere"
    merge one two --state x → 2 shards and 1 --state
  `),
)('%j is refused', (line, message) => expectRefusal(runIn(sandbox(site), line), message))
