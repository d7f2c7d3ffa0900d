import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { rowsOf } from '../tables.ts'
import { wordsOf } from '../words.ts'

/** Runs the sample command as a process, as npm does. */
const sampleBy = (env: Readonly<Record<string, string | undefined>>, line: string) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'test/cli/sample.ts', ...wordsOf(line)],
    {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    },
  )
  return { status, stdout, stderr }
}
const sample = (line: string) => sampleBy({}, line)

test('flags are read with a space or an equals sign, between operands, and have defaults', () => {
  const unsaid = { content: 'content', all: false, BaseUrl: false, noAlias: false }
  expect(JSON.parse(sample('one').stdout)).toEqual({ operands: ['one'], ...unsaid })
  const { stdout, status } = sample("one --content 'a b' two --sample=-3 --all")
  const said = { operands: ['one', 'two'], content: 'a b', sample: '-3', all: true }
  expect([status, JSON.parse(stdout)]).toEqual([0, { ...unsaid, ...said }])
})

test.each(
  rowsOf(`
    unknown → --contnet x → unknown option --contnet → did you mean --content?
    short and unknown → -x → unknown option -x
    without its value → --content → --content needs a value → write --content DIR
    with a flag for a value → --content --all → --content needs a value → write --content DIR
    with no such value → --format jsno → there is no format "jsno" → did you mean json?
    with more operands than it takes → a b c 7 → unexpected "7"
    with fewer operands than it takes → --all → WORD is missing → write npx shotpress sample hello
    a switch with a value → --all=yes → --all takes no value
  `),
)(
  'flags that are wrong stop with status 2: %s',
  (_, line, message, hint = 'npx shotpress sample --help lists the options') =>
    expect(sample(line)).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: ${message}\n  hint: ${hint}\n`,
    }),
)

const byNpm = { npm_lifecycle_event: 'say', npm_command: 'run-script' }

test.each([
  ['a value that npm kept', { content: 'a b' }, '--content', 'one --content "a b"'],
  ['one that npm left', { content: 'true' }, '--content', '--content one'],
  ['one of several', { content: 'true' }, '--content', "'$1' two --content DIR", "'$1' two"],
  ['with capitals and dashes', { base_url: 'true' }, '--Base-Url', 'one --Base-Url'],
  ['one that says no', { alias: '' }, '--no-alias', '--all one --no-alias', '--all one'],
  // as npm makes --format-package-lock of it, its value is all that is left
  ['one that begins as one of its own', {}, '--format', 'a --format json', 'a json'],
])(
  'options that npm kept for itself stop the command with what to type: %s',
  (_, config, names, typed, line = 'one') => {
    const env = Object.fromEntries(
      Object.entries(config).map(([name, value]) => [`npm_config_${name}`, value]),
    )
    expect(sampleBy({ ...byNpm, ...env }, line)).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: npm kept ${names} for itself: "--" is missing in front, or the shell dropped it\n  hint: write npx shotpress sample ${typed} in place of npm run say\n`,
    })
  },
)

test.each([
  ['given to the command as well', 'one --all', { ...byNpm, npm_config_all: 'true' }],
  ["npm's own", 'one', { ...byNpm, npm_config_prefix: '/usr', npm_config_user_agent: 'npm' }],
  [
    'given to npx',
    'one',
    { npm_lifecycle_event: 'npx', npm_command: 'exec', npm_config_all: 'true' },
  ],
])('options that are %s stop no command', (_, line, env) =>
  expect(sampleBy(env, line).status).toBe(0),
)

test.each([
  ['when the answer is no', 1, 'no', ''],
  [
    "for the user's error, without a stack and control characters",
    2,
    'user-error',
    'error: no \\u{1b}[31mfolder\n  hint: make one\n',
  ],
])('%s, the exit status is %i', (_, status, word, stderr) =>
  expect(sample(word)).toEqual({ status, stdout: '', stderr }),
)

test.each([
  ['defect', /\nTypeError: not \\u\{1b\}so\n {4}at /],
  ['text', /\nno \\u\{1b\}error\n$/],
])(
  'the exit status is 2 for a defect, shown with its stack or as what was thrown: %s',
  (word, shown) => {
    const { status, stderr } = sample(word)
    expect(status).toBe(2)
    expect(stderr).toMatch(/^npx shotpress sample: this is a defect of Shotpress, .*\n/)
    expect(stderr).toMatch(shown)
  },
)

const help = `npx shotpress sample: say what was understood

  npx shotpress sample WORD [WORD] [WORD] [options]

  --content DIR    the content folder (default: content)
  --sample N       how many; this text is long enough to be broken into two
                   lines or more
  --all            all of them
  --format FORMAT  how to say it: pretty, json
  --Base-Url       a name with capitals
  --no-alias       a name that says no
  --help           show this text

A note stands below the options, and a long one is broken into lines as all else
is.
`
test.each(['-h', '--all --help a b c d'])(
  'the exit status is 0 for help in 80 columns, whatever else: %s',
  (line) => expect(sample(line)).toEqual({ status: 0, stdout: help, stderr: '' }),
)
