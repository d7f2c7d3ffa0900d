import path from 'node:path'
import glob from 'fast-glob'
import { parse } from 'yaml'
import { captured } from '../captured.ts'
import { readText } from '../sandbox.ts'

/** A command line as a page or a workflow prints it. */
type Line = { readonly text: string; readonly file: string }

const programs =
  'npm|npx|node|openssl|nginx|rsync|ssh|docker|systemctl|sudo|apt-get|adduser|install|certbot|curl|git|sha256sum|cat|\\.ci/run'

const command = new RegExp(`^(?:${programs})(?: |$)`)

/**
 * Every command line of the README, CONTRIBUTING, docs/, workflows and `--help`, once, in the
 * order of the pages.
 */
export const documentedLines = (): readonly Line[] => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'examples/own-site/README.md',
    ...glob.sync('docs/**/*.md').sort(),
  ]
  const workflows = glob
    .sync(['.github/workflows/*.yml', 'examples/*/.github/workflows/*.yml'], { dot: true })
    .sort()
  const lines = [
    ...pages.flatMap(linesBy(inPage)),
    ...workflows.flatMap(linesBy(inWorkflow)),
    ...usages(),
  ]
  return [...new Map(lines.reverse().map((line) => [line.text, line])).values()].reverse()
}

const linesBy = (find: typeof inPage) => (file: string) =>
  find(readText(file)).map((text) => ({ text, file }))

/** What `--help` of each command shows as its use, a line for each alternative. */
const usages = () =>
  glob
    .sync('scripts/*.ts')
    .sort()
    .flatMap((file) => {
      const command = `npx shotpress ${path.basename(file, '.ts')}`
      const [, operands] = /^ {2}operands: '(.*)',$/m.exec(readText(file)) ?? []
      const texts = operands?.split(' | ').map((one) => `${command} ${one}`) ?? [command]
      return texts.map((text) => ({ text, file }))
    })

/** Lines of code blocks, fenced and indented, and code within sentences. */
export const inPage = (page: string) => {
  const fenced = [...page.matchAll(/^ *```(\w*)\n(.*?)^ *```/gms)].filter(([, language]) =>
    ['', 'sh', 'console', 'ini'].includes(language!),
  )
  const rest = page.replace(/^ *```.*?^ *```/gms, '')
  const inBlocks = fenced.flatMap(([, , text]) => text!.split('\n'))
  const indented = captured(rest, /^ {4,7}(\S.*)$/gm)
  const inline = captured(rest, /`([^`]+)`/g).map((text) => text.replace(/\s+/g, ' '))
  return [
    ...[...inBlocks, ...indented].map(bare).filter((text) => command.test(text)),
    // a word alone names a program, and a command alone is what test/docs.test.ts looks for
    ...inline.filter(
      (text) =>
        command.test(text) && !/^(?:\S+|(?:npm run|npx shotpress) [a-z]+)$/.test(text),
    ),
  ]
}

/** A line without its prompt, and without the comment at its end. */
const bare = (line: string) =>
  line
    .trim()
    .replace(/^(?:\$ |ExecStart=)/, '')
    .replace(/ +# .*$/, '')

type Workflow = {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly run?: string }[] }>
  >
}

const inWorkflow = (text: string) =>
  Object.values((parse(text) as Workflow).jobs)
    .flatMap(({ steps }) => steps.flatMap(({ run }) => run?.split('\n') ?? []))
    .map((line) => line.trim())
    .filter((line) => command.test(line))
