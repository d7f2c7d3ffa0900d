import { chmod, cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { variants } from '../../scripts/api/routes.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { ask } from './ask.ts'
import { endStage, makeStage, type Stage, serving } from './contract.ts'
import { installed, titleOf } from './engine.ts'
import { nginxEngine } from './engines.ts'

const basePath = '/v1'
let stage: Stage
let document: Document
let usernames: readonly string[]

beforeAll(async () => {
  stage = await makeStage()
  await rm(stage.root, { recursive: true })
  await cp('test/golden/dist', stage.root, { recursive: true })
  await chmod(stage.root, 0o755)
  document = JSON.parse(await readFile(join(stage.root, 'openapi.json'), 'utf8'))
  usernames = await readdir(join(stage.root, 'api/username'))
})
afterAll(() => endStage(stage))

/** Every answer is described, and every response that the document names came. */
const holds = async (asking: Ask): Promise<void> => {
  const { body } = await asking({ method: 'GET', path: '/openapi.json', headers: {} })
  expect(JSON.parse(body)).toEqual(document)
  const { came, wrong } = await holdAgainst(document, { usernames, ask: asking })
  expect(wrong).toEqual([])
  expect(came).toEqual([...namedIn(document)].sort())
}

test.skipIf(!installed(nginxEngine))(
  `the OpenAPI document is what ${titleOf(nginxEngine)} does, and all of it`,
  async () => {
    await serving(nginx, nginxEngine, { ...stage, basePath }, async ({ ports }) => {
      for (const scheme of variants) {
        await holds(async ({ path, headers, ...request }) => {
          const place = { port: ports[scheme], scheme, path: basePath + path }
          const answer = await ask({ ...request, ...place, headers: Object.entries(headers) })
          return { ...answer, body: `${answer.body}` }
        })
      }
    })
  },
)

test('what is not as the document says is told', async () => {
  const asking: Ask = async () => ({ status: 200, headers: { etag: 'x' }, body: '{}' })
  const { came, wrong } = await holdAgainst(document, { usernames, ask: asking })
  expect(came).not.toContain('get /api/username/{username} 404')
  expect(wrong.join('\n')).toMatch(/ETag: x[\s\S]*no Cache-Control|no Cache-Control[\s\S]*ETag: x/)
  expect(wrong.join('\n')).toContain('must have required property')
})

/** An answer as a client sees it; names of headers in lower case. */
type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

type Ask = (request: {
  readonly method: 'GET' | 'HEAD'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}) => Promise<Answer>

type Ref = { readonly $ref: string }
type Response = {
  readonly headers: Readonly<Record<string, Ref>>
  readonly content?: Readonly<Record<string, { readonly schema: Ref }>>
}
type Operation = { readonly responses: Readonly<Record<string, Response | Ref>> }
type Header = { readonly required?: boolean; readonly schema: object }
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<'get' | 'head', Operation>>>>
}

/** Every response that the document names: `get /api/username/{username} 200`. */
const namedIn = ({ paths }: Document): readonly string[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'head'] as const).flatMap((method) =>
      Object.keys(item[method].responses).map((status) => `${method} ${path} ${status}`),
    ),
  )

/**
 * Asks for every operation what brings each of its responses, with what may not change them, and returns the responses
 * that came and where they are not as the document says.
 */
const holdAgainst = async (
  document: Document,
  { usernames, ask }: { readonly usernames: readonly string[]; readonly ask: Ask },
): Promise<{ readonly came: readonly string[]; readonly wrong: readonly string[] }> => {
  const judge = createJudge(document)
  const [came, wrong] = [new Set<string>(), [] as string[]]
  for (const [template, item] of Object.entries(document.paths)) {
    for (const username of [...usernames, 'nobody', usernames[0]!.toUpperCase()]) {
      for (const end of ['', '/', '?page=2']) {
        for (const method of ['GET', 'HEAD'] as const) {
          const path = template.replace('{username}', username) + end
          const key = method.toLowerCase() as 'get' | 'head'
          const first = await ask({ method, path, headers: {} })
          const tag = first.headers.etag
          const second = tag && (await ask({ method, path, headers: { 'If-None-Match': tag } }))
          for (const answer of [first, ...(second ? [second] : [])]) {
            came.add(`${key} ${template} ${answer.status}`)
            const problems = judge(item[key], answer)
            wrong.push(...problems.map((problem) => `${method} ${path} ${answer.status}: ${problem}`))
          }
        }
      }
    }
  }
  return { came: [...came].sort(), wrong }
}

const createJudge = (document: Document) => {
  const ajv = new Ajv2020({ strict: false }).addSchema(document, 'openapi')
  const compiled = new Map<string, ValidateFunction>()
  const validator = ({ $ref }: Ref): ValidateFunction => {
    const known = compiled.get($ref) ?? ajv.compile({ $ref: `openapi${$ref}` })
    compiled.set($ref, known)
    return known
  }
  const resolve = <T>(value: T | Ref): T =>
    typeof value === 'object' && value !== null && '$ref' in value
      ? (value.$ref
          .split('/')
          .slice(1)
          .reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], document) as T)
      : (value as T)

  return ({ responses }: Operation, { status, headers, body }: Answer): readonly string[] => {
    const described = responses[status]
    if (described === undefined) return ['not described']
    const response = resolve<Response>(described)
    const wrongHeaders = Object.entries(response.headers).flatMap(([name, ref]) => {
      const { required, schema } = resolve<Header>(ref)
      const value = headers[name.toLowerCase()]
      if (value === undefined) return required ? [`no ${name}`] : []
      return ajv.validate(schema, value) ? [] : [`${name}: ${value}`]
    })
    const [type, content] = Object.entries(response.content ?? {})[0] ?? []
    if (content === undefined) return [...wrongHeaders, ...(body === '' ? [] : ['a body'])]
    const sent = headers['content-type']?.split(';')[0]
    const fits = validator(content.schema)
    return [
      ...wrongHeaders,
      ...(sent === type ? [] : [`type ${sent}`]),
      ...(fits(JSON.parse(body)) ? [] : [ajv.errorsText(fits.errors)]),
    ]
  }
}
