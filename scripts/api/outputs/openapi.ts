import { code } from '../document/operation.ts'
import type { Output } from '../output.ts'
import { fileOf, pathRoute } from '../route.ts'

const route = pathRoute('openapi', '/openapi.json')

/** The OpenAPI document: what the site answers, the same over both schemes. */
export const document: Output = {
  name: 'openapi',
  isOn: ({ openapi }) => openapi,
  routes: [route],
  ofSite: ({ document }) => [{ paths: [fileOf(route)], bytes: document }],
  mention: `${code(route.path)}, which is this document`,
}
