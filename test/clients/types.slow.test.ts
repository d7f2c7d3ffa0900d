import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { readJson, readText, sandbox } from '../sandbox.ts'

const use = (client: string, types: string) => `import type { components } from '${types}'
import { createClient, type Profile, type Shot } from '${client}'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Flat<T> = { [K in keyof T]: T[K] }
export const user: Same<Flat<Profile>, Flat<components['schemas']['User']>> = true
export const shot: Same<Flat<Shot>, Flat<components['schemas']['Shot']>> = true

export const use = async (signal?: AbortSignal) => {
  const profile = await createClient('https://api.example.com').profile('ana', { signal })
  // @ts-expect-error it may be not_found
  profile.name
  return profile === 'not_found' ? '' : profile.name
}
`

const common = {
  target: ts.ScriptTarget.ES2022,
  strict: true,
  noEmit: true,
  types: [],
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
}
const bundler = {
  ...common,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
}
const nodenext = {
  ...common,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}
const tsFiles = { allowImportingTsExtensions: true }

const configurations = {
  'strict alone': bundler,
  exactOptionalPropertyTypes: {
    ...bundler,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  },
  NodeNext: nodenext,
}

const documentTypes = async () =>
  astToString(
    await openapiTypescript(readJson('schemas/api/openapi.json'), {
      immutable: true,
    }),
  )

const problems = (file: string, options: ts.CompilerOptions) =>
  ts
    .getPreEmitDiagnostics(ts.createProgram([file], options))
    .map(
      ({ code, messageText }) =>
        `TS${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )

test.each(Object.entries(configurations))(
  'the types of the copied file are those of the OpenAPI document under %s',
  async (_, options) => {
    const folder = sandbox({
      'package.json': '{"type":"module"}',
      'api.ts': await documentTypes(),
      'shotpress.ts': readText('clients/shotpress.ts'),
      'use.ts': use('./shotpress.ts', './api.ts'),
    })
    expect(problems(`${folder}/use.ts`, { ...options, ...tsFiles })).toEqual([])
  },
)

test.each(Object.entries(configurations))(
  'the types of shotpress/client are the same under %s',
  async (_, options) => {
    const { exports } = readJson('package.json')
    const folder = sandbox({
      'package.json': '{"type":"module"}',
      'api.d.ts': await documentTypes(),
      'use.ts': use('shotpress/client', './api.js'),
      'node_modules/shotpress/package.json': JSON.stringify({
        name: 'shotpress',
        type: 'module',
        exports,
      }),
      'node_modules/shotpress/clients/shotpress.js': '',
      'node_modules/shotpress/clients/shotpress.d.ts': readText('clients/shotpress.d.ts'),
    })
    expect(problems(`${folder}/use.ts`, options)).toEqual([])
  },
)
