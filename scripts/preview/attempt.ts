import { mayPass } from '../problems/diagnostic.ts'

/**
 * What a look at the disk finds; `undefined` where files come and go meanwhile, which the
 * next build tells.
 */
export const attempt = <T>(look: () => T): T | undefined => {
  try {
    return look()
  } catch (error) {
    if (mayPass(error)) return undefined
    throw error
  }
}
