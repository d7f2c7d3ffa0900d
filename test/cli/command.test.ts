import { describe, expect, test } from 'vitest'
import { run } from './run.ts'

const sample = (...args: readonly string[]) => run('sample.ts', ...args)

describe('flags', () => {
  test('have their defaults, and undefined without one', () => {
    expect(JSON.parse(sample().stdout)).toEqual({ operands: [], content: 'content', all: false })
  })

  test('are read with a space or an equals sign, between operands', () => {
    const { stdout, status } = sample('one', '--content', 'a b', 'two', '--sample=-3', '--all')
    expect(JSON.parse(stdout)).toEqual({ operands: ['one', 'two'], content: 'a b', sample: '-3', all: true })
    expect(status).toBe(0)
  })

  test.each([
    ['unknown', ['--contnet', 'x'], 'unknown option --contnet', 'did you mean --content?'],
    ['like nothing', ['--wrong'], 'unknown option --wrong', 'npm run sample -- --help lists the options'],
    ['short and unknown', ['-x'], 'unknown option -x', 'npm run sample -- --help lists the options'],
    ['without its value', ['--content'], '--content needs a value', 'write --content DIR'],
    ['with an empty value', ['--content='], '--content needs a value', 'write --content DIR'],
    ['with a flag for a value', ['--content', '--all'], '--content needs a value', 'write --content DIR'],
    [
      'a switch with a value',
      ['--all=yes'],
      '--all takes no value',
      'npm run sample -- --help lists the options',
    ],
  ])('that are wrong stop with status 2: %s', (_, args, message, hint) => {
    expect(sample(...args)).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: ${message}\n  hint: ${hint}\n`,
    })
  })
})

describe('the exit status', () => {
  test('is 1 when the answer is no', () => {
    expect(sample('no').status).toBe(1)
  })

  test("is 2 for the user's error, shown without a stack and without control characters", () => {
    expect(sample('user-error')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'error: no \\u{1b}[31mfolder\n  hint: make one\n',
    })
  })

  test('is 2 for a defect, shown with its stack', () => {
    const { status, stderr } = sample('defect')
    expect(status).toBe(2)
    expect(stderr).toMatch(/^npm run sample: this is a defect of Shotpress, .*\nTypeError: not so\n {4}at /)
  })
})

describe('--help', () => {
  test.each([['--help'], ['-h'], ['--all', '--help']])(
    'shows the options on stdout, whatever else is given',
    (...args) => {
      const { status, stdout, stderr } = sample(...args)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(stdout).toContain('--content DIR')
    },
  )
})
