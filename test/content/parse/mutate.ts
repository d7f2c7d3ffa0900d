/** Random numbers from a seed (mulberry32): each call gives an integer from 0 up to, not including, `below`. */
export type Random = (below: number) => number

export const randomFrom = (seed: number): Random => {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below)
  }
}

/** The texts between bars: a list of many is read as one. */
export const texts = (...rows: readonly string[]): readonly string[] => rows.flatMap((row) => row.split('¦'))

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

/** A text with one to five small changes: characters, lines and indentation put in, taken out, doubled or moved. */
export const mutate = (text: string, other: string, random: Random): string => {
  let mutated = text
  for (let changes = 1 + random(5); changes > 0; changes--) mutated = change(mutated, other, random)
  return random(8) === 0 ? mutated.replaceAll('\n', '\r\n') : mutated
}

const change = (text: string, other: string, random: Random): string => {
  const at = random(text.length + 1)
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!
  switch (random(10)) {
    case 0:
    case 1:
      return text.slice(0, at) + pick(significant) + text.slice(at)
    case 2:
      return text.slice(0, at) + text.slice(at + 1 + random(3))
    case 3:
      return text.slice(0, at) + pick(significant) + text.slice(at + 1)
    case 4:
      return text.slice(0, at) + other.slice(random(other.length + 1)).slice(0, random(40)) + text.slice(at)
    default:
      return changeLines(text.split('\n'), random, pick).join('\n')
  }
}

const changeLines = (
  from: readonly string[],
  random: Random,
  pick: <T>(from: readonly T[]) => T,
): readonly string[] => {
  const at = random(from.length)
  const line = from[at]!
  switch (random(7)) {
    case 0:
      return from.toSpliced(at, 1)
    case 1:
      return from.toSpliced(at, 0, line)
    case 2:
      return from.toSpliced(at, 0, pick(lines))
    case 3:
      return from.toSpliced(random(from.length), 0, line)
    case 4:
      return from.with(at, ' '.repeat(1 + random(4)) + line)
    case 5:
      return from.with(at, line.replace(/^ {1,2}/, ''))
    default:
      return from.with(at, line + pick(significant))
  }
}
