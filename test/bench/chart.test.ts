import { expect, it } from 'vitest'
import { drawChart } from '../../bench/chart.ts'

const chart = {
  title: 'Time & <space>',
  x: { label: 'members', values: [1000, 10000] },
  unit: 's',
  curves: [
    { name: 'build', values: [1.25, 12] },
    { name: 'script', values: [2, 12.1] },
  ],
}

it('draws each curve with its name and last value, and escapes texts', () => {
  const svg = drawChart(chart)
  expect(svg).toContain('aria-label="Time &#38; &#60;space&#62;"')
  expect(svg.match(/class="curve/g)).toHaveLength(2)
  expect(svg.match(/<circle/g)).toHaveLength(4)
  expect(svg).toMatch(/build, 12 s<\/text>/)
  expect(svg).toContain('>10,000</text>')
})

it('keeps the names of curves that end at the same place apart', () => {
  const places = [...drawChart(chart).matchAll(/class="name[^>]* y="([\d.]+)"/g)].map(([, y]) => Number(y))
  expect(Math.abs(places[0]! - places[1]!)).toBeGreaterThanOrEqual(18)
})

it('puts the highest value below the top rule', () => {
  const heights = [...drawChart(chart).matchAll(/cy="([\d.]+)"/g)].map(([, y]) => Number(y))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(48)
  expect(Math.max(...heights)).toBeLessThanOrEqual(256)
})
