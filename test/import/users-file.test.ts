import path from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../sandbox.ts'
import { importFrom } from './importing.ts'
import { legacyMember } from './legacy.ts'

const legacy = { ana: legacyMember('ana', 1) }
const importUsers = (users: string | Uint8Array) => {
  const folder = sandbox({ 'names.txt': users })
  return importFrom(legacy, folder, { users: path.join(folder, 'names.txt') })
}

test.each<[string, string | Uint8Array, string]>([
  ['in UTF-16', Buffer.from('\ufeffana\n', 'utf16le'), 'is not a text file in UTF-8'],
  ['of bytes that are not UTF-8', Uint8Array.of(0x61, 0xff, 0xfe), 'is not a text file in UTF-8'],
])('a file %s is refused in one message', async (_, users, message) => {
  await expect(importUsers(users)).rejects.toMatchObject({ message: expect.stringContaining(message) })
})

test('a list with a few lines that are no names is imported but for those', async () => {
  const { told } = await importUsers(`\ufeffana\n${'é'.repeat(100_000)}\n`)
  expect(told).toMatchObject([{ code: 'bad-name', file: 'names.txt', line: 2 }])
})
