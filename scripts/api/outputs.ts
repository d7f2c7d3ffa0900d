import type { Site } from '../content/site.ts'
import { openapi } from './document/openapi.ts'
import type { Operation } from './document/operation.ts'
import type { Output } from './output.ts'
import { everything } from './outputs/everything.ts'
import { memberList } from './outputs/member-list.ts'
import { document } from './outputs/openapi.ts'
import { pictures } from './outputs/pictures.ts'
import { profiles } from './outputs/profiles.ts'
import { publication } from './outputs/publication.ts'

/** All that a site can give out in its snapshot. */
export const outputs: readonly Output[] = [
  profiles,
  document,
  memberList,
  everything,
  publication,
  pictures,
]

/** What a site gives out. */
export const outputsOf = (site: Site): readonly Output[] =>
  outputs.filter(({ isOn }) => isOn?.(site) ?? true)

/** What the OpenAPI document of a site describes. */
const operationsOf = (site: Site): readonly Operation[] =>
  outputsOf(site).flatMap(({ describe }) => describe?.(site) ?? [])

/** The OpenAPI document of a site's API. */
export const documentOf = (site: Site) => openapi(site, operationsOf(site), mentions)

const mentions = outputs.flatMap(({ mention }) => mention ?? [])
