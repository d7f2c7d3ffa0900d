import { grouped } from '../scripts/text/amounts.ts'

/** Curves over the same values of x, drawn as one SVG for light and dark pages. */
export type Chart = {
  readonly title: string
  /** Values of x, ascending, and what they count. */
  readonly x: { readonly label: string; readonly values: readonly number[] }
  /** The unit of y, as it stands after a number. */
  readonly unit: string
  /** At most three; a value for each x. The first one is drawn strongest. */
  readonly curves: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** Draws a chart: numbers that people read, so one decimal at most, and every curve named at its end. */
export const drawChart = ({ title, x, unit, curves }: Chart): string => {
  const widest = x.values.at(-1)!
  const highest = Math.max(...curves.flatMap(({ values }) => values))
  const step = niceStep(highest / 4)
  const top = Math.ceil(highest / step) * step
  const across = (value: number): string => round(plot.left + (value / widest) * plot.width)
  const up = (value: number): string => round(plot.top + plot.height * (1 - value / top))
  const rules = Array.from({ length: Math.round(top / step) + 1 }, (_, number) => number * step)
  const labels = spread(curves.map(({ values }) => Number(up(values.at(-1)!))))
  return lines([
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${escaped(title)}">`,
    style,
    `<text class="title" x="16" y="26">${escaped(title)}</text>`,
    ...rules.flatMap((value) => [
      `<path class="rule" d="M${plot.left} ${up(value)}H${plot.left + plot.width}"/>`,
      `<text class="y" x="${plot.left - 8}" y="${up(value)}" dy="4">${number(value)} ${unit}</text>`,
    ]),
    ...x.values.map(
      (value) =>
        `<text class="x" x="${across(value)}" y="${plot.top + plot.height + 20}">${grouped(value)}</text>`,
    ),
    `<text class="x" x="${plot.left + plot.width / 2}" y="${size.height - 12}">${escaped(x.label)}</text>`,
    ...curves.flatMap(({ name, values }, index) => [
      `<path class="curve c${index}" d="${values.map((value, at) => `${at === 0 ? 'M' : 'L'}${across(x.values[at]!)} ${up(value)}`).join('')}"/>`,
      ...values.map(
        (value, at) =>
          `<circle class="dot c${index}" cx="${across(x.values[at]!)}" cy="${up(value)}" r="3"/>`,
      ),
      `<text class="name c${index}" x="${plot.left + plot.width + 10}" y="${round(labels[index]!)}" dy="4">${escaped(name)}, ${number(values.at(-1)!)} ${unit}</text>`,
    ]),
    '</svg>',
  ])
}

const size = { width: 720, height: 320 } as const
const plot = { left: 72, top: 48, width: 440, height: 208 } as const

/** Colours that can be told apart by all, and read on white and on black. */
const style = [
  '<style>text{font:13px system-ui,sans-serif;fill:#333}.title{font-weight:600;font-size:15px}.y{text-anchor:end}',
  '.x{text-anchor:middle}.rule{stroke:#8884;fill:none}.curve{fill:none;stroke-width:2}.curve.c0{stroke-width:3}',
  ...paint(['#0a6ebd', '#c1560e', '#6b7280']),
  '@media(prefers-color-scheme:dark){text{fill:#ddd}',
  ...paint(['#58a6ff', '#f0883e', '#9ca3af']),
  '}</style>',
].join('')

function paint(colours: readonly string[]): readonly string[] {
  return colours.map(
    (colour, at) => `.curve.c${at}{stroke:${colour}}.dot.c${at},.name.c${at}{fill:${colour}}`,
  )
}

/** 1, 2 or 5 times a power of ten, as large as a value or larger. */
const niceStep = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= value)!
}

/** Moves labels apart that would lie over each other; each keeps its place in the list. */
const spread = (places: readonly number[]): readonly number[] => {
  const moved = [...places]
  const order = places.map((_, index) => index).sort((a, b) => places[a]! - places[b]!)
  for (const [at, index] of order.entries()) {
    if (at > 0) moved[index] = Math.max(moved[index]!, moved[order[at - 1]!]! + 18)
  }
  return moved
}

const round = (value: number): string => String(Math.round(value * 10) / 10)
const number = (value: number): string => (value >= 10 ? grouped(Math.round(value)) : round(value))
const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
const lines = (all: readonly string[]): string => `${all.join('\n')}\n`
