import { chmod, cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, expect, test } from 'vitest'
import { variants } from '../../scripts/api/routes.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { type Json, resolve } from '../api/breaks.ts'
import { ask } from './ask.ts'
import { serving, staged } from './contract.ts'
import { installed, titleOf } from './engine.ts'
import { nginxEngine } from './engines.ts'

const basePath = '/v1'
const stage = staged()
let document: Json
let usernames: readonly string[]

beforeAll(async () => {
  const { root } = stage()
  await rm(root, { recursive: true })
  await cp('test/golden/dist', root, { recursive: true })
  await chmod(root, 0o755)
  document = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'))
  usernames = await readdir(join(root, 'api/username'))
})

/** Every answer is described, and every response that the document names came. */
const holds = async (asking: Ask): Promise<void> => {
  const { body } = await asking({ method: 'GET', path: '/openapi.json', headers: {} })
  expect(JSON.parse(body)).toEqual(document)
  const { came, wrong } = await holdAgainst(asking)
  expect(wrong).toEqual([])
  const named = Object.entries(described()).flatMap(([path, item]) =>
    keys.flatMap((key) =>
      Object.keys(item[key].responses).map((status) => `${key} ${path} ${status}`),
    ),
  )
  expect(came).toEqual(named.sort())
}

test.skipIf(!installed(nginxEngine))(
  `the OpenAPI document is what ${titleOf(nginxEngine)} does, and all of it`,
  async () => {
    await serving(nginx, nginxEngine, { ...stage(), basePath }, async ({ ports }) => {
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

/** An answer as a client sees it; names of headers in lower case. */
type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

type Ask = (request: {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}) => Promise<Answer>

type Responses = Readonly<
  Record<
    string,
    {
      readonly headers: Readonly<
        Record<string, { readonly required?: boolean; readonly schema: object }>
      >
      readonly content?: Readonly<Record<string, { readonly schema: object }>>
    }
  >
>

const keys = ['get', 'head'] as const

/** The paths of the document, with what `$ref` names in its place. */
const described = () =>
  (resolve(document, document) as { readonly paths: unknown }).paths as Readonly<
    Record<string, Readonly<Record<(typeof keys)[number], { readonly responses: Responses }>>>
  >

/**
 * Asks for every operation what brings each of its responses, with what may not change them, and returns the responses
 * that came and where they are not as the document says.
 */
const holdAgainst = async (ask: Ask) => {
  const came = new Set<string>()
  const wrong = [] as string[]
  for (const [template, item] of Object.entries(described())) {
    for (const username of [...usernames, 'nobody', usernames[0]!.toUpperCase()]) {
      for (const end of ['', '/', '?page=2']) {
        for (const key of keys) {
          const method = key.toUpperCase()
          const path = template.replace('{username}', username) + end
          const first = await ask({ method, path, headers: {} })
          const tag = first.headers.etag
          const second = tag && (await ask({ method, path, headers: { 'If-None-Match': tag } }))
          for (const answer of [first, ...(second ? [second] : [])]) {
            came.add(`${key} ${template} ${answer.status}`)
            for (const problem of judge(item[key].responses, answer))
              wrong.push(`${method} ${path} ${answer.status}: ${problem}`)
          }
        }
      }
    }
  }
  return { came: [...came].sort(), wrong }
}

const ajv = new Ajv2020({ strict: false })

const judge = (responses: Responses, { status, headers, body }: Answer): readonly string[] => {
  const response = responses[status]
  if (response === undefined) return ['not described']
  const problems = Object.entries(response.headers).flatMap(([name, { required, schema }]) => {
    const value = headers[name.toLowerCase()]
    if (value === undefined) return required ? [`no ${name}`] : []
    return ajv.validate(schema, value) ? [] : [`${name}: ${value}`]
  })
  const [type, content] = Object.entries(response.content ?? {})[0] ?? []
  if (content === undefined) return [...problems, ...(body === '' ? [] : ['a body'])]
  const sent = headers['content-type']?.split(';')[0]
  return [
    ...problems,
    ...(sent === type ? [] : [`type ${sent}`]),
    ...(ajv.validate(content.schema, JSON.parse(body)) ? [] : [ajv.errorsText()]),
  ]
}
