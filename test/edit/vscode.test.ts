import fs from 'node:fs'
import { expect, test } from 'vitest'
import { lines } from '../../scripts/diagnostics/lines.ts'
import { at, problem } from '../diagnostics/example.ts'

test('the problem matcher of the VS Code task reads what --format lines prints', () => {
  const { tasks } = JSON.parse(fs.readFileSync('.vscode/tasks.json', 'utf8'))
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
