import { UserError } from '../scripts/problems/user-error.ts'

/** The whole number that an option holds. */
export const count = (option: string, value: string): number => {
  if (!/^\d{1,9}$/.test(value)) {
    throw new UserError(`--${option} is "${value}", which is not a whole number`, {
      hint: `write --${option} 1000`,
    })
  }
  return Number(value)
}
