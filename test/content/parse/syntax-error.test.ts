import { expect, it } from 'vitest'
import { parse } from '../../../scripts/content/parse/parse.ts'
import { mark, unmarked } from './marked.ts'

const general = 'write "key: value" on each line; put text with special characters in double quotes'

it.each<[string, string, (string | RegExp)?]>([
  // text that must be in quotes
  ['title: ‹Foo: bar›\n', 'the value contains ": " and is not in quotes', 'write title: "Foo: bar"'],
  [
    '- title: ‹say "a": b›\n',
    'the value contains ": " and is not in quotes',
    'write title: "say \\"a\\": b"',
  ],
  ['title: ‹@foo›\n', 'a value can\'t begin with "@"', 'write title: "@foo"'],
  ['title: ‹`foo`›\n', 'a value can\'t begin with "`"', /"`foo`"/],
  ['title: ‹%50›\n', 'a value can\'t begin with "%"', /"%50"/],
  ['title: ‹, b›\n', 'a value can\'t begin with ","', /", b"/],
  ['title: ‹? b›\n', 'a value can\'t begin with "?"', /"\? b"/],
  ['title: ‹& Co›\n', 'a value can\'t begin with "&"', /"& Co"/],
  ['bio: ‹*›\n', 'a value can\'t begin with "*"', /"\*"/],
  ['bio: ‹**Bold** text›\n', 'a value can\'t begin with "*"', /"\*\*Bold\*\* text"/],
  ['bio:\n  - ‹*a b›\n', 'a value can\'t begin with "*"', 'put the whole value in quotes'],
  ['title: ‹> text›\n', 'text can\'t follow "|" or ">" on its line', 'write title: "text"'],
  ['title: ‹>text›\n', 'text can\'t follow "|" or ">" on its line', 'write title: "text"'],
  ['title: ‹|text›\n  b\n', 'text can\'t follow "|" or ">" on its line', 'write title: "text b"'],
  ['bio: &a ‹&b c›\n', 'this is not expected here', /begins with "&", "!" or "\*"/],
  ['bio: &a b\nc: &d ‹*a›\n', 'this is not expected here', /begins with "&", "!" or "\*"/],
  ['%a\n‹b: c›\n', 'a line that begins with "%" has a meaning of its own in YAML', /"%" in double quotes/],
  // quotes
  ['a: ‹"b›\n  c: d', 'the double quote (") is not closed'],
  ["title: 'It'‹s'›\n", 'there is text after the closing quote', /^write title: "It's"$/],
  ['title: "one" ‹and "two"›\n', 'there is text after the closing quote', /^write title: .+one.+and.+two/],
  ['title: ‹"abc›\ndate: 2014\n', 'the double quote (") is not closed', /write title: "abc"/],
  ['title: ‹"abc›\ndate: "2014"\n', 'the double quote (") is not closed'],
  ["title: ‹'a\\bc›\n", "the single quote (') is not closed", 'write title: "a\\\\bc"'],
  ['a: b\n‹"c: d›', 'the double quote (") is not closed'],
  ['a: [b, ‹"c›', 'the double quote (") is not closed'],
  [
    'title: "C:‹\\›path"\n',
    '"\\p" has no meaning in double quotes',
    'write two backslashes for one, or use single quotes',
  ],
  ['title: "‹\\›u12"\n', '"\\u" needs 4 hexadecimal digits after it'],
  // indentation
  [
    'id: 1\n  ‹title: x›\n',
    'this line is indented further than the keys above it',
    /begin all keys at the same column/,
  ],
  ['a:\n  b: 1\n ‹c: 2›\n', 'this line does not line up with those above it', /at the same column/],
  ['  id: 1\n‹title: x›\n', 'this line does not line up with those above it'],
  ['tags:\n  - a\n ‹- b›\n', 'this line does not line up with those above it'],
  ['tags:\n- a: b\n ‹- c›\n', 'this line does not line up with those above it'],
  ['x:\n  - y: 1\n   ‹z: 2›\n', 'this line does not line up with those above it'],
  ['x:\n  - y: 1\n  ‹z: 2›\n', 'this line does not line up with those above it'],
  ['a: "b" # c\n  ‹d›\n', 'this line does not line up with those above it'],
  ['a: |\n   x\n  ‹y›\n', 'this line is indented less than the text above it'],
  ['a: |\n  x\n\t‹y›\n', 'a tab is used for indentation', /spaces only/],
  [
    'a: >\n    \n  ‹x›\n',
    'the empty lines above hold more spaces than the text below them',
    /remove the spaces/,
  ],
  ['id: 1\n‹\t›title: x\n', 'a tab is used for indentation', /indent with spaces only/],
  ['tags:\r\n‹\t›- a\r\n', 'a tab is used for indentation', /indent with spaces only/],
  // lines that are no entry
  ['id: 1\n‹title:foo›\nb: c\n', 'a space is missing after ":"', 'write title: foo'],
  ['id: 1\n‹title:foo›', 'a space is missing after ":"', 'write title: foo'],
  ['id: 1\n‹some text›\nbio: x\n', 'this line has no ": " after a key', /indent a line that goes on/],
  ['id: 1\n‹some text›\n', 'this line has no ": " after a key', /indent a line that goes on/],
  ['title: foo\n‹- bar›\n', 'this list item belongs to no key', /without a value: tags:/],
  [
    '‹<<<<<<< HEAD›\na: 1\n=======\na: 2\n>>>>>>> x\n',
    'this is the mark of a merge that was not finished',
    /keep one of the two/,
  ],
  ['title: ‹- foo›\n', 'a list item stands on the line of its key', 'write title: "foo"'],
  ['--- ‹a: b›\n', 'something follows "---" on its line', /begin a new line/],
  [`‹${'k'.repeat(1100)}: v›\n`, 'a key has more than 1024 characters', general],
  // brackets and commas
  ['tags: ‹[a, b›\nid: 3\n', '"[" is not closed', 'write tags: [a, b]'],
  [
    'tags: ‹{a: b›\r\nid: 3\r\n',
    '"{" is not closed',
    'end it with "}"; put text that begins with "{" in double quotes',
  ],
  ['‹[a›\n', '"[" is not closed'],
  ['a: ‹[b, c}›\n', '"[" is not closed'],
  ['title: [WIP] ‹foo›\n', 'there is text after the closing bracket', 'write title: "[WIP] foo"'],
  ['a: ‹]›\n', 'nothing is open that "]" could close', general],
  ['a: {b: c}‹}›\n', 'nothing is open that "}" could close', general],
  ['tags: [b,‹,› c]\n', 'there is a comma too many', 'write tags: [b, c]'],
  ['a: ["b" ‹"c"]›', 'a comma is missing between two entries', /between the entries/],
  ['{\n"id": ‹1›\n"b": 2\n}\n', 'a comma is missing between two entries', /between the entries/],
  ['a: "b"‹#c›\n', 'a space is missing in front of "#"', 'write " # comment"'],
  ['a: b\n... ‹c›\n', 'this is not expected here', general],
])('explains %j', (text, problem, hint = /./) => {
  const { problems } = parse({ file: 'x.yaml', text: unmarked(text) })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatchObject({ code: 'yaml-syntax', message: `this is not YAML: ${problem}` })
  expect(mark(unmarked(text), problems)).toBe(text)
  expect(problems[0]!.hint).toMatch(hint)
})

it('shows no control character of the file', () => {
  for (const text of [
    'a: @\u001b[31m',
    'a: b: \u001b]0;x\u0007',
    "a: 'b' \u009b",
    'a: "\\\u001b"',
    'x:\u001b\ny: z',
  ]) {
    const [problem] = parse({ file: 'x.yaml', text }).problems
    expect(problem?.code).toBe('yaml-syntax')
    expect(problem?.message + problem!.hint!).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  }
})
