import { withoutControls } from '../../problems/json.ts'
import type { Difference } from '../difference.ts'

/** For programs: the difference, every key always there, without a character that a terminal would act on. */
export const json = ({ base, head, members, addresses, warnings }: Difference): string =>
  `${withoutControls(JSON.stringify({ base, head, members, addresses, warnings }, undefined, 2))}\n`
