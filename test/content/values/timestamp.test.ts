import { expect, test } from 'vitest'
import { clearDate } from '../../../scripts/advice/dates.ts'
import {
  normalTimestamp,
  timestampProblem,
} from '../../../scripts/content/values/timestamp.ts'
import { rowsOf, texts } from '../../tables.ts'

const two = (number: number) => String(number).padStart(2, '0')

/** The calendar of JavaScript's Date: a day that doesn't exist comes out as another one. */
const exists = (year: number, month: number, day: number) => {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return (
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day
  )
}

test('a day is right if the calendar has it', () => {
  for (let year = 0; year <= 9999; year++) {
    // over the years, every month comes with every day
    for (const [month, day] of [[2, 29] as const, [year % 14, year % 33] as const]) {
      const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
      expect(timestampProblem(text) === undefined, text).toBe(
        year > 0 && exists(year, month, day),
      )
    }
  }
})

test('the three forms of a moment are read as one', () => {
  expect(normalTimestamp('2014-03-02')).toBe('2014-03-02 00:00:00')
  expect(normalTimestamp('2014-03-02T18:30:05Z')).toBe('2014-03-02 18:30:05')
  expect(normalTimestamp('2014-03-02 18:30:05')).toBe('2014-03-02 18:30:05')
})

test.each(
  texts(
    '¦2014-3-2¦02.03.2014¦2014-03-02 18:30¦2014-03-02T18:30:00¦ 2014-03-02¦2014-03-02 18:30:00Z',
    '2014-03-02T18:30:00+01:00¦2014-03-02t18:30:00z¦2014-03-02\n¦2014-03-02  18:30:00',
    '12014-03-02¦-001-03-02¦２０１４-03-02',
  ),
)('%j is told to be of another form', (text) =>
  expect(timestampProblem(text)).toBe('it is not of the form YYYY-MM-DD HH:MM:SS'),
)

test.each(
  rowsOf(`
    0000-01-01 → years run from 0001 to 9999
    2014-13-01 → months run from 01 to 12
    2014-02-30 → the days of 2014-02 run from 01 to 28
    2014-03-02 24:00:00 → hours run from 00 to 23
    2014-03-02 23:60:00 → minutes run from 00 to 59
    2016-12-31 23:59:60 → seconds run from 00 to 59
  `),
)('%s is told to be a moment that does not exist: %s', (text, problem) =>
  expect(timestampProblem(text)).toBe(problem),
)

test.each(
  rowsOf(`
    2014/3/2 → 2014-03-02
    2014.03.02 9:05 → 2014-03-02 09:05:00
    20140302 → 2014-03-02
    2014-03-02T18:30:00+00:00 → 2014-03-02 18:30:00
    2014-03-02 6:30 pm → 2014-03-02 18:30:00
    25.12.2014 → 2014-12-25
    12/25/2014 18:30 → 2014-12-25 18:30:00
  `),
)('%j can mean one date only', (text, date) => expect(clearDate(text)).toBe(date))

test.each(
  texts(
    '2014-03-02¦2014-03-02T18:30:00Z¦2.3.2014¦02/03/2014¦2 March 2014¦25.12.14¦2014-02-30',
    '2014-13-01¦25.13.2014¦2014-03-02 24:00¦2014-03-02 18:30 am¦2014-03-02T18:30:00+02:00¦2014',
    '2014-03¦1393718400¦',
  ),
)('%j is right, or in doubt', (text) => expect(clearDate(text)).toBeUndefined())
