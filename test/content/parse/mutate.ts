import fs from 'node:fs'
import { readText } from '../../sandbox.ts'
import type { Random } from '../../snapshot/random.ts'
import { texts } from '../../tables.ts'

/** Files as people write them, one for each habit. */
export const examples = fs
  .readdirSync('test/content/parse/examples')
  .sort()
  .map((name) => readText(`test/content/parse/examples/${name}`))

/** Characters and short sequences that mean something to YAML, or nearly. */
export const significant = texts(
  `\n¦\n¦\n¦ ¦ ¦ ¦ ¦:¦:¦-¦-¦?¦,¦[¦]¦{¦}¦#¦&¦*¦!¦|¦>¦'¦"¦%¦@¦\`¦\\¦~¦<¦=¦+¦_¦.¦0¦1¦2¦9¦a¦b¦n¦r¦t¦u¦x¦L`,
  'N¦P¦U¦/¦\t¦\r¦\u0000¦\u0001¦\u001b¦\u0085¦\u00a0¦\u2028¦\u2029¦\ufeff¦\ud800¦é¦😀¦\n\n¦\n ¦\n  ',
  `\n    ¦  ¦: ¦:\n¦- ¦-\n¦ #¦# ¦ \n¦? ¦---¦...¦\n---\n¦\r\n¦|\n¦>-\n¦|+\n¦|2\n¦>\n¦''¦""¦\\n¦\\"`,
  '\\\n¦\\u00e9¦\\x41¦\\0¦\\ud800¦\\U0001F600¦a: ¦b:\n¦k: v\n¦\nid: 7\n¦<<: ¦&x ¦*x¦!!str ¦! ',
  '__proto__: ¦%YAML 1.1\n---\n¦[a, b]¦{a: b}',
)

/** Whole lines to put between others. */
const lines = texts(
  '¦ ¦   ¦# comment¦  # comment¦      # comment¦---¦...¦text¦  text¦    text¦  text: more¦key: value',
  `key:¦key: |¦key: >-¦key: "¦key: '¦key: [¦tags:¦- item¦  - item¦  -  item¦    - item¦- key: value`,
  `  - key: value¦    key: value¦  "¦  '¦  - "¦key: # comment¦-¦  -¦? key¦: value¦  \tx`,
)

/**
 * A text with one to five small changes: characters, lines and indentation put in, taken out,
 * doubled or moved.
 */
export const mutate = (text: string, other: string, random: Random) => {
  let mutated = text
  for (let changes = 1 + random.below(5); changes > 0; changes--)
    mutated = change(mutated, other, random)
  return random.below(8) === 0 ? mutated.replaceAll('\n', '\r\n') : mutated
}

const change = (text: string, other: string, random: Random) => {
  const at = random.below(text.length + 1)
  switch (random.below(10)) {
    case 0:
    case 1:
      return text.slice(0, at) + random.pick(significant) + text.slice(at)
    case 2:
      return text.slice(0, at) + text.slice(at + 1 + random.below(3))
    case 3:
      return text.slice(0, at) + random.pick(significant) + text.slice(at + 1)
    case 4:
      return (
        text.slice(0, at) +
        other.slice(random.below(other.length + 1)).slice(0, random.below(40)) +
        text.slice(at)
      )
    default:
      return changeLines(text.split('\n'), random).join('\n')
  }
}

const changeLines = (from: readonly string[], random: Random) => {
  const at = random.below(from.length)
  const line = from[at]!
  switch (random.below(7)) {
    case 0:
      return from.toSpliced(at, 1)
    case 1:
      return from.toSpliced(at, 0, line)
    case 2:
      return from.toSpliced(at, 0, random.pick(lines))
    case 3:
      return from.toSpliced(random.below(from.length), 0, line)
    case 4:
      return from.with(at, ' '.repeat(1 + random.below(4)) + line)
    case 5:
      return from.with(at, line.replace(/^ {1,2}/, ''))
    default:
      return from.with(at, line + random.pick(significant))
  }
}
