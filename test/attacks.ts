// Texts that an expression takes longest for. A regular expression is taken apart; each of
// its repetitions is then fed with what it repeats, with what begins like a match, and with
// mixtures of the letters that it tells apart.

type Node =
  | { readonly is: 'letter'; readonly source: string }
  | { readonly is: 'nothing' }
  | { readonly is: 'choice'; readonly of: readonly (readonly Node[])[] }
  | {
      readonly is: 'repeat'
      readonly of: Node
      readonly least: number
      readonly most: number
    }

/** More than so many repetitions are taken for any number. */
const many = 200

/**
 * Takes the source of an expression apart. What matches no letter, such as `$` or `(?=…)`, is
 * `nothing`.
 */
const parse = (source: string, unicode: boolean) => {
  let at = 0
  const take = (form: RegExp) => {
    const sticky = new RegExp(form.source, `${form.flags}y`)
    sticky.lastIndex = at
    const match = sticky.exec(source)
    if (match !== null) at += match[0].length
    return match
  }
  const choice = (): Node => {
    const of: Node[][] = [[]]
    while (at < source.length && source[at] !== ')') {
      if (take(/\|/)) of.push([])
      else of.at(-1)!.push(repeated(atom()))
    }
    return { is: 'choice', of }
  }
  const atom = (): Node => {
    const opening = take(/\((?:\?(?:[:=!]|<[=!]|<\w+>))?/)
    if (opening !== null) {
      const inside = choice()
      take(/\)/)
      return /[=!]/.test(opening[0]) ? { is: 'choice', of: [[], [inside]] } : inside
    }
    if (take(/[\^$]|\\[bB]|\\[1-9]|\\k<\w+>/)) return { is: 'nothing' }
    const letter =
      take(/\[(?:\\.|[^\]\\])*\]/s) ??
      take(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Z])/) ??
      take(unicode ? /\\.|./su : /\\.|./s)
    return { is: 'letter', source: letter![0] }
  }
  const repeated = (of: Node): Node => {
    const [, sign, least = '', comma, most] = take(/(?:([*+?])|\{(\d+)(,)?(\d*)\})\??/) ?? []
    if (sign !== undefined)
      return {
        is: 'repeat',
        of,
        least: sign === '+' ? 1 : 0,
        most: sign === '?' ? 1 : Infinity,
      }
    if (least === '') return of
    const open = comma ? Infinity : Number(least)
    const end = most ? Number(most) : open
    return { is: 'repeat', of, least: Number(least), most: end }
  }
  return choice()
}

/** Letters to choose from: one of each sort that an expression tells apart is taken. */
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode((code + 97) % 128))
const others = [...'é\u00a0\u2028日：，“•–５🍵\u0301\u200b']

/** Texts that an expression may take long for, of any length. */
export function* attacksOn({ source, flags }: RegExp): Generator<(length: number) => string> {
  const root = parse(source, flags.includes('u'))
  const own = flags.replace(/[gym]/g, '')
  const sources = new Set<string>()
  const visit = (node: Node) => {
    if (node.is === 'letter') sources.add(node.source)
    if (node.is === 'choice') node.of.flat().forEach(visit)
    if (node.is === 'repeat') visit(node.of)
  }
  visit(root)
  const forms = [...sources].map((one) => [one, new RegExp(`^(?:${one})$`, own)] as const)
  const kinds = new Map<string, string>()
  const all = [...ascii, ...others, ...[...sources].filter((one) => [...one].length === 1)]
  for (const letter of all) {
    const kind = forms.map(([, form]) => Number(form.test(letter))).join('')
    if (!kinds.has(kind)) kinds.set(kind, letter)
  }
  const letters = [...kinds.values()]
  const fitting = new Map(
    forms.map(
      ([one, form]) => [one, letters.find((letter) => form.test(letter)) ?? ''] as const,
    ),
  )
  /** A short text that a piece matches; the number decides which. */
  const sample = (node: Node, pick: number): string => {
    if (node.is === 'letter') return fitting.get(node.source)!
    if (node.is === 'repeat')
      return sample(node.of, pick).repeat(Math.max(node.least, pick % 2))
    if (node.is === 'nothing') return ''
    return node.of[pick % node.of.length]!.map((one) => sample(one, pick)).join('')
  }
  const pumps = new Set<string>(letters)
  for (const one of letters)
    for (const other of letters) if (one !== other) pumps.add(one + other)
  const begins = new Set<string>(['', '\0', 'a'])
  let unbounded = 0
  const walk = (node: Node, before: readonly string[]) => {
    if (node.is === 'repeat') {
      if (node.most > many) {
        unbounded += 1
        for (const one of before) begins.add(one)
      }
      for (const pick of [0, 1, 2, 3]) pumps.add(sample(node.of, pick))
      walk(node.of, before)
    }
    if (node.is !== 'choice') return
    for (const branch of node.of) {
      let here = before
      for (const one of branch) {
        walk(one, here)
        here = [
          ...new Set(here.flatMap((text) => [text + sample(one, 0), text + sample(one, 1)])),
        ].slice(0, 3)
        for (const text of here) pumps.add(text)
      }
    }
  }
  walk(root, [''])
  if (unbounded === 0) return
  pumps.delete('')
  for (const pump of pumps)
    for (const begin of begins)
      for (const end of ['', '\0', '\n'])
        yield (length) => begin + pump.repeat(Math.ceil(length / pump.length)) + end
}
