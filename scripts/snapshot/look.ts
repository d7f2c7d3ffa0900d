import type { ContentFolder } from '../content/layout.ts'
import { accentProblem } from '../content/values/colour.ts'
import { readFile } from '../files/folder.ts'
import { drawingProblem } from '../pictures/drawing.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import type { Tools } from './compile.ts'

/**
 * What of the gallery's look will not be seen; an error where the logo would run or load
 * something.
 */
export const lookAtGallery = (tools: Tools): readonly Diagnostic[] => {
  const { site, siteAt } = tools
  if (site === undefined) return []
  const { accent, logo } = site.gallery
  const { bytes, problem } = readLogo(tools)
  const found: Diagnostic[] = []
  if (problem !== undefined) {
    const advice = 'export it again without that, or as PNG'
    const args = { key: 'logo', value: logo, problem, advice }
    found.push(diagnose('bad-gallery', siteAt(['gallery', 'logo']), args))
  } else if (logo !== '' && bytes === undefined) {
    const why = 'no file of that name, of at most 1 MiB, lies beside site.yaml'
    const args = { value: logo, why, advice: 'put the file there, or leave logo out' }
    found.push(diagnose('unlikely-value', siteAt(['gallery', 'logo']), args))
  }
  const why = accent && accentProblem(accent)
  if (why) {
    const advice = 'write a colour of medium brightness, as "#c2410c"'
    const args = { value: accent, why, advice }
    found.push(diagnose('unlikely-value', siteAt(['gallery', 'accent']), args))
  }
  return found
}

/**
 * The logo of a gallery, if it is there and fit to be published; else, if it is there, why it
 * is not fit.
 */
export const readLogo = ({
  content,
  site,
}: Pick<Tools, 'site'> & { readonly content: ContentFolder }) => {
  const logo = site?.gallery.logo
  if (!logo) return {}
  const bytes = readFile(content.path, logo.slice('./'.length), { limit: 1 << 20 })
  const problem = bytes && logo.endsWith('.svg') ? drawingProblem(bytes) : undefined
  return problem === undefined ? { bytes } : { problem }
}
