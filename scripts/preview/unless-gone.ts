import { mayPass } from '../problems/user-error.ts'

/** What was read; `undefined` if it can't be just now: files come and go while they are read. */
export const unlessGone = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (mayPass(error)) return undefined
    throw error
  }
}
