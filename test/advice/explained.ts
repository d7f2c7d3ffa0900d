import { explainYaml } from '../../scripts/advice/yaml.ts'
import { parseFully, type Source } from '../../scripts/content/parse/parse.ts'

/** What the parser reads, with its problems in words. */
export const parseAndExplain = (source: Source) => {
  const parsed = parseFully(source)
  return { ...parsed, problems: explainYaml(parsed, source.text) }
}
