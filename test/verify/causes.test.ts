import { expect, test } from 'vitest'
import { hosts } from '../../scripts/hosts/hosts.ts'
import { causeNames, causes, wording } from '../../scripts/verify/causes.ts'

test('every cause says what is wrong and what to change, in one sentence without a final period', () => {
  for (const name of causeNames) {
    const { message, advice } = wording(name)
    for (const text of [message, advice]) {
      expect(text).toMatch(/\S{2}/)
      expect(text).not.toMatch(/\.$|^[A-Z][a-z]+ /)
    }
  }
})

test('a part belongs to a cause that is named before it', () => {
  for (const name of causeNames) {
    const { partOf } = wording(name)
    if (partOf === undefined) continue
    expect(causes).toHaveProperty([partOf])
    expect(causeNames.indexOf(partOf as typeof name)).toBeLessThan(causeNames.indexOf(name))
  }
})

test('what hosts advise is about causes that there are', () => {
  for (const { name, seen } of hosts)
    for (const cause of Object.keys(seen?.fixes ?? {})) expect(causes, name).toHaveProperty([cause])
})
