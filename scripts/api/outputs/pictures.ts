import { code } from '../document/operation.ts'
import type { Output } from '../output.ts'
import { pathRoute } from '../route.ts'

/** Content types of pictures, by the ending of their files. */
export const pictureTypes = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
} as const

/** A picture's name is made of its bytes, so they never change: caches may keep it for ever. */
export const pictureRoutes = Object.entries(pictureTypes).map(([ending, type]) =>
  pathRoute('pictures', `/pictures/<h>.${ending}`, {
    headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
    rank: 0,
  }),
)

const folder = pictureRoutes[0]!.path.replace(/<.*/, '')

/**
 * Pictures that lie beside their members' files; `snapshot/pictures.ts` makes them while it
 * checks them.
 */
export const pictures: Output = {
  name: 'pictures',
  routes: pictureRoutes,
  mention: `pictures below ${code(folder)} that bodies name`,
}
