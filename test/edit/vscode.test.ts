import { expect, test } from 'vitest'
import { createLoader } from '../../scripts/advice/loader.ts'
import { lines } from '../../scripts/problems/formats.ts'
import { at, problem } from '../problems/example.ts'
import { readJson } from '../sandbox.ts'

test('the problem matcher of the VS Code task reads what --format lines prints', () => {
  const { tasks } = readJson('.vscode/tasks.json')
  const { regexp } = tasks[0].problemMatcher.pattern
  const [line] = lines([problem(at(3, 7, 2))]).split('\n')
  expect(new RegExp(regexp).exec(line!)?.slice(1)).toEqual([
    'content/a.yaml',
    '3',
    '7',
    'error',
    'something is wrong',
    'blank',
  ])
})

test.each([
  ['Member', 'loadProfile'],
  ['Shot', 'loadShot'],
] as const)(
  'the VS Code snippet %s writes a file that is right as it stands',
  (name, load) => {
    const all = readJson('.vscode/content.code-snippets')
    const text = all[name].body
      .join('\n')
      .replace(/\$\{\d+:((?:\\.|[^\\}])*)\}/g, '$1')
      .replace('$CURRENT_YEAR-$CURRENT_MONTH-$CURRENT_DATE', '2014-03-02')
      .replace('$0', '')
    const { value, diagnostics } = createLoader()[load]({ file: 'a.yaml', text }, undefined)
    expect([diagnostics, value]).toEqual([[], expect.anything()])
  },
)
