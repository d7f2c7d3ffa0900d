import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isPosix } from '../posix.ts'
import { readText, sandbox, writeTree } from '../sandbox.ts'

/**
 * Stands for GitHub: notes what changes an issue, and says how old the newest commit is and
 * which issue is open.
 */
const gh = `#!/bin/bash
case "$1 $2" in
  'api repos/'*) echo $(($(date +%s) - 60 * \${AGES:0:2})) ;;
  'issue list') echo "$OPEN" ;;
  'issue '*) echo "$2 $3" >> "$NOTES"; [ "$2" = close ] || cat "$RUNNER_TEMP/issue.md" >> "$NOTES" ;;
esac
`
/** Stands for verify, with its status and what it prints. */
const shotpress = `if (process.argv[2] === 'verify') {
  process.stdout.write(process.env.PROBLEMS)
  process.stderr.write(process.env.SAID)
  process.exitCode = Number(process.env.STATUS)
}`

const problem = (severity: string, code: string) => ({
  severity,
  code,
  file: 'https://x',
  message: `m <${code}>`,
})
const stale = problem('error', 'not-the-snapshot')

/** What one run of the monitor does to issues. */
const monitor = ({
  problems = [] as object[],
  status = 0,
  said = '',
  open = '',
  age = 90,
}) => {
  const folder = sandbox()
  writeTree(folder, {
    'bin/gh': gh,
    'bin/sleep': '#!/bin/bash\n',
    'action/action.sh': fs.readFileSync('action.sh'),
    'action/scripts/run.cjs': shotpress,
    'action/compiled/shotpress.cjs': '',
    notes: '',
  })
  for (const program of ['gh', 'sleep']) fs.chmodSync(`${folder}/bin/${program}`, 0o755)
  const env = {
    PATH: `${folder}/bin:${process.env.PATH}`,
    RUNNER_TEMP: folder,
    NOTES: `${folder}/notes`,
    CONTENT: 'content',
    HTTPS_URL: 'https://x',
    HTTP_URL: '',
    MAX_AGE: '',
    KEY: '',
    GITHUB_REPOSITORY: 'a/b',
    GITHUB_REF_NAME: 'main',
    PROBLEMS: JSON.stringify(problems),
    STATUS: `${status}`,
    SAID: said,
    OPEN: open,
    AGES: `${age}`,
  }
  const args = ['action/action.sh', 'monitor']
  const { status: ended, stderr } = spawnSync('bash', args, {
    cwd: folder,
    encoding: 'utf8',
    env,
  })
  expect([ended, stderr]).toEqual([0, ''])
  return readText(`${folder}/notes`)
}

const canRun = isPosix && spawnSync('jq', ['--version']).status === 0

const title = `the monitor of action.yml${canRun ? '' : ' (skipped: it needs bash and jq)'}`
describe.skipIf(!canRun)(title, () => {
  test('opens one issue when the host stops keeping the contract, and keeps it up to date', () => {
    const opened = monitor({ problems: [stale], status: 1 })
    expect(opened).toMatch(/^create --title\n/)
    expect(opened).toContain('- **error** `https://x`: m  not-the-snapshot \n')
    expect(monitor({ problems: [stale], status: 1, open: '7' })).toMatch(/^edit 7\n/)
  })

  test('closes it when the host keeps the contract again, and touches none otherwise', () => {
    expect(monitor({ open: '7' })).toBe('close 7\n')
    expect(monitor({})).toBe('')
  })

  test('tells of a certificate that is about to end, and of no other warning', () => {
    expect(monitor({ problems: [problem('warning', 'certificate-ends-soon')] })).toMatch(
      /^create /,
    )
    expect(monitor({ problems: [problem('warning', 'expose-headers')] })).toBe('')
  })

  test('tells of a host that nobody reaches', () => {
    const said = "error: https://x can't be reached: its certificate is not trusted\n"
    const opened = monitor({ status: 2, said })
    expect(opened).toMatch(/^create /)
    expect(opened).toContain(
      "- **error** https://x can't be reached: its certificate is not trusted\n",
    )
  })

  test('says nothing while a commit may be on its way to the host', () => {
    expect(monitor({ problems: [stale], status: 1, age: 30 })).toBe('')
    expect(monitor({ open: '7', age: 30 })).toBe('')
  })
})
