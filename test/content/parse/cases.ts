import { texts } from '../../tables.ts'

/**
 * Texts after the kinds of the YAML test suite, of our own writing: single cases below, and
 * every form of a value before every form of what can follow it.
 */
export const cases = () => [
  ...single,
  ...values.flatMap((value) => followers.map((follower) => `key: ${value}${follower}`)),
  ...values.map((value) => `- ${value}\n- x\n`),
  ...values.map((value) => `a:\n  - ${value}\n  - k: ${value}\n    l: x\n`),
  ...values.map((value) => `key: ${value.replaceAll('\n', '\r\n')}\r\nnext: x\r\n`),
  ...keys.flatMap((key) => [
    `${key}: x\n`,
    `a: b\n${key}: x\n`,
    `${key}:\n`,
    `${key} : x\n`,
    `${key}:x\n`,
    `{${key}: x}\n`,
  ]),
  ...openers.flatMap((opener) => [
    `key: ${opener}`,
    `key: ${opener}x`,
    `key: ${opener} x`,
    `- ${opener}x`,
    `[${opener}x]`,
    `key: [${opener}x, ${opener}]`,
    `key: x${opener}`,
    `key: x ${opener} y`,
    `key: x\n  ${opener} y`,
    `key:\n  ${opener}y`,
    `${opener}: x`,
  ]),
  ...headers.flatMap((header) => bodies.map((body) => `key: ${header}\n${body}`)),
  ...headers.flatMap((header) =>
    bodies.map((body) => `key: ${header}\n${body}`.replaceAll('\n', '\r\n')),
  ),
  ...escapes.flatMap((escaped) => [
    `key: "${escaped}"`,
    `key: "a ${escaped} b"`,
    `key: '${escaped}'`,
    `key: ${escaped}`,
  ]),
]

const single = texts(
  '¦#¦# c¦# c\n\n# d\n¦  # c\n¦---¦---\n¦...¦--- a¦--- |\n a\n¦---\na: b\n...\n¦a: b\n---\n',
  'a: b\n...\n¦a: b\n... # c\n¦a: b\n---\nc: d\n¦%YAML 1.2\n---\na: b\n¦%TAG ! x\n---\na: b\n',
  '%x\n---\na: b\n¦\ufeffa: b\n¦a: \ufeff\n¦\ufeff\ufeffa: b¦a: b\ufeff\n¦# c\n\ufeffa: b\n¦|\n a',
  '-\n  - a¦? a¦? a\n: b¦a :¦a: b\n\nc: d\n¦a: b\n# c\nd: e¦a: b\n  # c\nd: e¦a: b # c\nd: e¦<<: a',
  '"<<": a¦<<: *a¦__proto__: a¦constructor: a\ntoString: b¦__proto__: a\n__proto__: b¦a:\n - b¦a: - b',
  'a:\n- b: c\n d: e¦a:\n  - b:\n      - c\n¦a:\n- |\n  b¦a:\n- # c\n- b¦a:\n- b # c\n- d',
  'a:\n# c\n- b¦a:\n  # c\n  - b¦a:\n  - b\n# c\n  - d¦a:\n  - b\n  # c\n  - d',
  'a:\n  - b\n      # c\n  - d¦a: # c\n- b¦a: # c\n  - b¦a:\n  b:\n    c: d\n¦a:\n# c\n  b: d',
  'a:\n  # c\n  b: d¦a: # c\n  b: d¦a:\n# c\n  b¦a:\n  # c\n  b¦a: # c\n  b¦a:\n  &x b¦a:\n  *x',
  `a: [ ]¦a: [b, ]¦a: [b] c¦a: [b] # c¦a: [b]# c¦a: [b: c]¦a: ['b', "c"]¦a: [b#c]¦a: [b #c]¦a: [#b]`,
  'a: [b, # c\n d]¦a: [-]¦a: [?]¦a: [? b]¦a: [?b]¦a: [b]\n  c¦a: ["b\\nc"]¦{a: b}¦a: [!x b]',
  'a: [&x b, *x]¦a: &x b\nc: *x¦a: *x¦a: & b¦a: * b¦a: &x\nb: c¦&x a: b¦*x : b¦a: !x b¦a: ! b',
  'a: !!str b¦a: !!int 1¦!x a: b¦a: !<x> b¦a: &x !y b¦a: &x [*x]¦a: b\u0000¦a: b\u0001¦a: b\u001f',
  'a: \u001f¦a: |\u001f\n b¦a: b\u007f¦a: b\u0085c¦a: b\u2028c¦a: \ud800¦a: b😀¦a\u00a0: b¦a: \u00a0b',
  'a: b\r¦a: b\rc: d¦a: b\r\nc: d\r\n¦a: "b\r\n  c"¦a: |\r\n  b\r\n¦a:\tb¦a: b\t¦a: b\tc¦\ta: b',
  'a:\n\tb¦a:\n\t- b¦a:\n  -\tb¦a: b\n\t\nc: d¦a: b\n\tc¦a: "\tb"¦a: |\n\tb¦a: |\n  \tb\n¦a: b\t# c',
  'a: b #\tc',
)

const values = texts(
  `¦a¦a b¦a  b¦ a ¦1¦-1¦- ¦-¦--¦--- a¦?¦?a¦:a¦a:b¦a:¦a: b¦a:\tb¦a#b¦a #b¦#a¦a # b¦it's¦say "x"¦a, b`,
  'a [b]¦a {b}¦a}¦a & b¦a*b¦a!¦1:30:00¦http://a.b/c#d¦"a"¦"a" ¦"a" # b¦"a"#b¦"a" b¦"a": b¦""¦" a "',
  '"a\n  b"¦"a\n\n  b"¦"a\n\n\n  b"¦"a  \n  b  "¦"a\nb"¦"a\n b"¦"\n  a"¦"a\n  "¦"a\n\n  "',
  '"\n\n  \n  a"¦"a\\\n  b"¦"a \\\n  \\ b"¦"a\\\n\n  b"¦"a\\\nb"¦"a¦"a\n¦"a\\¦"a: b"¦"a # b"',
  `"a\n  # b"¦"a\n  - b"¦"a\n---\n b"¦'a'¦'a' # b¦'a'#b¦'a' b¦'a''b'¦''¦''''¦'''¦' a '¦'a\n  b'`,
  "'a\n\n  b'¦'a  \n  b  '¦'a\nb'¦'\n  a'¦'a\n  '¦'a\n  ''b'¦'a\\b'¦'a¦'a: b'¦a\n  b¦a\n b",
  'a\n   b\n  c¦a\n\n  b¦a\n\n\n  b¦a  \n   b  ¦a\nb¦a # b\n  c¦a\n  # b¦a\n  # b\n  c¦a\n  b # c',
  'a\n  b: c¦a\n  - b¦a\n  b:¦a\n  "b"¦a\n  [b]¦a\n  &b¦a\n  ? b¦a\n  : b¦a\n  :b¦a\n  ---¦a\n\n',
  'a\n  \n  b¦a\n      \n  b¦|\n  a¦|\n  a\n  b¦|\n  a\n\n  b¦|\n  a\n   b¦|-\n  a¦|+\n  a\n',
  '>\n  a\n  b¦>-\n  a\n\n  b¦>+\n  a\n\n¦|2\n  a¦[]¦[a, b]¦[a, "b"]¦[a¦{}¦{a: b}¦&x a¦*x¦!x a',
  '!!str a',
)

const followers = texts(
  '¦\n¦\n\n¦ \n¦\nk: x¦\nk: x\n¦\n\nk: x\n¦\n# c\nk: x\n¦\n  # c\nk: x\n¦ # c\nk: x\n¦\n  x\nk: x\n',
  '\n  k: x\n¦\n- x\n¦\n  - x\n¦\n---\n¦\n...\n¦\n   ¦\nx\n',
)

const keys = [
  ...texts(
    `a¦A_b9¦_a¦9¦a-b¦a b¦"a"¦'a'¦é¦a.b¦a/b¦-a¦- a¦?a¦a#¦[a]¦{a: b}¦&x a¦*x¦!x a¦¦~¦null`,
  ),
  ...[1000, 1001, 1023, 1100].map((length) => 'a'.repeat(length)),
]

const openers = texts(
  `!¦"¦#¦$¦%¦&¦'¦(¦)¦*¦+¦,¦-¦.¦/¦:¦;¦<¦=¦>¦?¦@¦[¦\\¦]¦^¦_¦\`¦{¦|¦}¦~¦...¦---¦<<¦- ¦? ¦: `,
)

const headers = texts('|¦>¦|-¦>-¦|+¦>+¦| ¦>- # c¦|#c¦| # c¦|1¦>2¦|-1¦|1-¦|+-¦|x¦> x¦|0')

const bodies = texts(
  '¦\n¦ ¦  a¦  a\n¦  a\n\n¦  a\n\n\n¦ a\n¦a\n¦  a\n  b\n¦  a\n\n  b\n¦  a\n\n\n  b\n',
  '  a\n    b\n  c\n¦  a\n\n    b\n\n  c\n¦    a\n  b\n¦\n  a\n¦\n\n  a\n¦   \n  a\n¦  \n  a\n',
  ' \n  a\n¦  a\n   \n  b\n¦  a\n  \n  b\n¦  a\n \n  b\n¦  a\n   \n¦  a\n  \n¦  a\n ¦  a\n   ',
  '  a\n# c\n¦  a\n # c\n¦  # c\n¦  a\n  # c\n  b\n¦  a\nk: x\n¦  a\n\nk: x\n¦  a\n k: x\n',
  '  a \n  b \n¦  a: b\n¦  - a\n¦  ---\n¦---\n¦  a\n...\n¦  a\n- b\n¦  a\r\n  b\r\n¦  \ta\n¦\t\n',
  '  a\n\t\n¦   a\n  b\n   c\n¦  a\n   b\n\n   c\n\n\n  d\n',
)

const escapes = texts(
  '\\n¦\\r¦\\t¦\\\\¦\\"¦\\/¦\\ ¦\\a¦\\b¦\\e¦\\f¦\\v¦\\N¦\\_¦\\L¦\\P¦\\0¦\\x41¦\\xe9¦\\x00¦\\x4¦\\x4g',
  '\\u00e9¦\\u12¦\\u12g4¦\\ud800¦\\udfff¦\\ud83d\\ude00¦\\uFFFE¦\\uFEFF¦\\U0001F600¦\\U00110000',
  "\\U0000d800¦\\q¦\\'¦\\¦''",
)
