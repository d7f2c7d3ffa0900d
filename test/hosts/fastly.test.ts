import { describe, expect, it } from 'vitest'
import { errors } from '../../scripts/api/routes.ts'
import { captured } from '../captured.ts'
import { inCi } from '../posix.ts'
import { hostOptions } from './options.ts'
import { linted } from './proofs.ts'

// falco is packaged for some platforms only, and says so when it is loaded
const falco = await import('falco-js').catch(() => undefined)
if (falco === undefined && inCi)
  throw new Error('falco-js is missing, and CI must not do without')

const { fastly } = linted
const vcl = fastly.config!(hostOptions({}))

describe.skipIf(falco === undefined)('fastly under the linter', () => {
  it.each(['', '/v1.0/(a)', '/50%25/"quoted"', '/{"', '/"}'])(
    'is clean below the path "%s"',
    async (basePath) =>
      expect(await problems(fastly.config!(hostOptions({ basePath })))).toEqual([]),
  )

  it('would be told of a string that ends too early', async () => {
    const broken = vcl.replace(
      /synthetic "\{.*/,
      `synthetic {"${errors.notFound.body.trim()}"};`,
    )
    expect(await problems(broken)).not.toEqual([])
  })
})

const problems = async (text: string) => {
  const { Errors, Warnings, LintErrors, ParseErrors } = await falco!.lintText(text)
  // each pattern of the chain is asked only where the ones before did not match
  const found = Object.values(LintErrors ?? {}).flat() as { readonly Rule: string }[]
  return [
    ...Array(Errors + Warnings),
    ...found.filter(({ Rule }) => Rule !== 'regex/matched-value-override'),
    ...Object.values(ParseErrors ?? {}),
  ]
}

it('fastly sends the error bodies byte for byte', () => {
  // the strings of the file as Fastly reads them
  const strings = captured(vcl, /"([^"\n]*)"/g).map((text) => decodeURIComponent(text))
  expect(strings).toContain(errors.notFound.body)
  expect(strings).toContain(errors.methodNotAllowed.body)
})
