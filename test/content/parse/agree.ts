import { isDeepStrictEqual } from 'node:util'
import { parse } from '../../../scripts/content/parse/parse.ts'
import { quickParse } from '../../../scripts/content/parse/quick.ts'

/** Whether the quick reader passed on a text, or said exactly what the full parser says, which has no problem with it. */
export const agree = (text: string): 'passed' | 'same' | 'different' => {
  const quick = quickParse(text)
  if (quick === undefined) return 'passed'
  const { data, problems } = parse({ file: 'x.yaml', text })
  return problems.length === 0 && isDeepStrictEqual(data, quick) ? 'same' : 'different'
}
