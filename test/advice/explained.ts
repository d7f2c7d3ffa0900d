import { explainYaml } from '../../scripts/advice/yaml.ts'
import { parse, type Source } from '../../scripts/content/parse/parse.ts'

/** What the parser reads, with its problems in words. */
export const parseAndExplain = (source: Source) => {
  const parsed = parse(source)
  return { ...parsed, problems: explainYaml(parsed, source.text) }
}
