import { expect, test } from 'vitest'
import { causeNames, wording } from '../../scripts/verify/causes.ts'

test('every cause says what is wrong and what to change, in one sentence without a final period', () => {
  for (const name of causeNames) {
    const { message, advice } = wording(name)
    for (const text of [message, advice]) {
      expect(text).toMatch(/\S{2}/)
      expect(text).not.toMatch(/\.$|^[A-Z][a-z]+ /)
    }
  }
})
