import { expect, test } from 'vitest'
import { sameButScheme } from '../../scripts/import/fetch/same-but-scheme.ts'

const same = (https: string, http: string): boolean => sameButScheme(Buffer.from(https), Buffer.from(http))

test('two bodies are the same but for the scheme if only the beginnings of their values differ in it', () => {
  expect(same('{"avatar":"https://a.example/x"}', '{"avatar":"http://a.example/x"}')).toBe(true)
  expect(same('{"avatar":"https:\\/\\/a.example"}', '{"avatar":"http:\\/\\/a.example"}')).toBe(true)
  expect(same('{"bio":"é"}', '{"bio":"é"}')).toBe(true)
})

test('they are not if anything else differs', () => {
  expect(same('{"avatar":"https://a.example/x"}', '{"avatar":"http://b.example/x"}')).toBe(false)
  expect(same('{"avatar":"//a.example/?https://b"}', '{"avatar":"//a.example/?http://b"}')).toBe(false)
  expect(same('{"avatar":"\\"https://a"}', '{"avatar":"\\"http://a"}')).toBe(false)
  expect(sameButScheme(undefined, undefined)).toBe(false)
})
