import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import glob from 'fast-glob'
import { type Ask, withQuestions } from './cli/ask.ts'
import { main, noSuch, shellWord } from './cli/command.ts'
import { print } from './cli/output.ts'
import type { SchemaName } from './content/schema.ts'
import { isUsername } from './content/username.ts'
import { apiBaseProblem } from './content/values/address.ts'
import { changeKeys, firstLine, type NewValues } from './edit/yaml/change.ts'
import { slug } from './edit/yaml/write.ts'
import { makeFolder, makeRoot } from './files/folder.ts'
import { createFile } from './files/write.ts'
import { UserError } from './problems/diagnostic.ts'
import { usernameRule } from './problems/messages.ts'
import { printable, quote } from './text/printable.ts'

/**
 * Who can hold the site's repository: what it is called, and the file that publishes the site
 * from there.
 */
const forges = {
  github: { title: 'GitHub', publishing: '.github/workflows/publish.yml' },
  gitlab: { title: 'GitLab', publishing: '.gitlab-ci.yml' },
  forgejo: { title: 'Forgejo', publishing: '.forgejo/workflows/publish.yml' },
} as const
type ForgeName = keyof typeof forges

/** Where a site can be published from its first push. */
type FirstHost = {
  readonly words: string
  /** The forge that it is a part of. Default: any can publish there. */
  readonly forge?: ForgeName
  /** What `site.yaml` says of it. */
  readonly site?: NewValues
  /** The package that publishes there, with its version. */
  readonly tool?: Readonly<Record<string, string>>
}

const galleryOnly = 'the gallery only, the API needs another host'

const firstHosts: Readonly<Record<string, FirstHost>> = {
  cloudflare: {
    words: 'Cloudflare Workers: https and http, free to begin with',
    site: { hosts: ['cloudflare'] },
    tool: { wrangler: '4.86.0' },
  },
  netlify: {
    words: 'Netlify: https alone',
    site: { hosts: ['netlify'], schemes: ['https'] },
    tool: { 'netlify-cli': '27.10.2' },
  },
  bucket: { words: 'a bucket that speaks S3, behind a CDN or a web server' },
  server: { words: 'a server of your own, over SSH' },
  'github-pages': { words: `GitHub Pages: ${galleryOnly}`, forge: 'github' },
  'gitlab-pages': { words: `GitLab Pages: ${galleryOnly}`, forge: 'gitlab' },
  'codeberg-pages': { words: `Codeberg Pages: ${galleryOnly}`, forge: 'forgejo' },
}

const listed = Object.entries(firstHosts).map(
  ([host, { words }]) => `  ${host.padEnd(16)}${words}`,
)

/** Names that `host` has for servers of one's own. */
const servers = ['nginx', 'caddy', 'apache', 'lighttpd']
const firstHostOf = (name: string) => (servers.includes(name) ? 'server' : name)

/** Refuses what is none of these; nothing stands for the first one. */
const known = (kind: string, names: readonly string[]) => (text: string) => {
  if (text !== '' && !names.includes(firstHostOf(text))) throw noSuch(kind, text, names)
}

/**
 * What is asked for what no flag says, in this order; `problem` says what is wrong with an
 * answer, `hint` what to write.
 */
const questions = {
  'base-url': {
    value: 'URL',
    description: 'address that the paths of the API follow: https://api.example.com',
    advice: 'The address that clients ask, such as https://api.example.com',
    question: 'Base URL:',
    check: (text: string) => {
      const hint = 'write one such as https://api.example.com'
      const problem = apiBaseProblem(text)
      if (problem)
        throw new UserError(`${quote(text)} can't be the address of the API: ${problem}`, {
          hint,
        })
    },
  },
  host: {
    value: 'NAME',
    choices: [...Object.keys(firstHosts), ...servers],
    description: 'where it is published',
    advice: ['Where it will be published; that can be changed later:', ...listed].join('\n'),
    question: 'Host (cloudflare):',
    check: known('host', Object.keys(firstHosts)),
  },
  forge: {
    value: 'NAME',
    choices: Object.keys(forges),
    description: 'what holds its repository, Codeberg is forgejo (default: github)',
    advice: 'The forge that will hold its repository: github, gitlab, or forgejo (Codeberg).',
    question: 'Forge (github):',
    check: known('forge', Object.keys(forges)),
  },
  name: {
    value: 'TEXT',
    description: 'your name, as people see it',
    advice: 'You are the first member.',
    question: 'Your name:',
    check: (text: string) => {
      if (text.trim() === '') throw new UserError('the name is blank')
    },
  },
  username: {
    value: 'U',
    description: 'your username in the address of the API (default: made from your name)',
    advice: 'Your name in the address of the API: letters and digits.',
    question: 'Username:',
    check: (text: string) => {
      if (!isUsername(text))
        throw new UserError(`${quote(text)} can't be a username`, {
          hint: `use ${usernameRule}`,
        })
    },
  },
} as const

const sample =
  'write npx shotpress init my-site --base-url https://api.example.com --host cloudflare --name "Ana Example" --username ana'

type Answers = Readonly<Record<'baseUrl' | 'host' | 'name' | 'username', string>> & {
  readonly forge: ForgeName
}

const program = fileURLToPath(new URL('../', import.meta.url))

main({
  name: 'npx shotpress init',
  summary: 'write a site of your own: content, package.json, workflows and editor settings',
  operands: '[DIR]',
  options: questions,
  notes: [
    'On a terminal it asks for what is missing. DIR (default: this folder) must be new or empty; nothing is overwritten.',
    '',
    'Exit status: 0 done, 2 it could not run.',
  ],
  run: async ({ operands: [named], options }) => {
    const folder = path.resolve(named ?? '.')
    requireEmpty(folder, named)
    const answers = await withQuestions((ask) => completed(options, ask))
    makeRoot(folder)
    for (const [file, contents] of siteFiles(folder, answers)) {
      if (file.includes('/')) makeFolder(folder, path.posix.dirname(file))
      createFile(folder, file, contents)
      print(path.join(named ?? '', file))
    }
    const { title, publishing } = forges[answers.forge]
    const enter = named === undefined ? '' : `  cd ${printable(shellWord(named))}\n`
    const [manager = 'npm'] =
      /^(?:pnpm|yarn)/.exec(process.env.npm_config_user_agent ?? '') ?? []
    process.stderr.write(
      `\nnext:\n${enter}  ${manager} install\n  ${manager} run preview\n\n` +
        `On ${title}, ${publishing} publishes the site. Its first lines say\n` +
        'what that needs.\n',
    )
  },
})

/** A folder that git has just made counts as empty. */
function requireEmpty(folder: string, named: string | undefined) {
  const [first] = fs.existsSync(folder)
    ? fs.readdirSync(folder).filter((name) => name !== '.git')
    : []
  if (first === undefined) return
  throw new UserError(
    `the folder ${quote(named ?? '.')} is not empty: it holds ${quote(first)}`,
    {
      hint: 'name a new folder: npx shotpress init my-site',
    },
  )
}

/** Takes what the flags say, and asks for the rest. */
async function completed(
  flags: { readonly [K in keyof Answers]?: string | undefined },
  ask: Ask | undefined,
): Promise<Answers> {
  const answerTo = async (
    key: keyof typeof questions,
    said: string | undefined,
    problem = `--${key} is missing`,
  ) => {
    const { advice, question, check } = questions[key]
    if (said !== undefined) {
      check(said)
      return said
    }
    if (ask === undefined) throw new UserError(problem, { hint: sample })
    process.stderr.write(`${advice}\n`)
    return ask(question, check)
  }
  const baseUrl = await answerTo('base-url', flags.baseUrl)
  const host = firstHostOf((await answerTo('host', flags.host)) || 'cloudflare')
  const own = firstHosts[host]?.forge
  if (own !== undefined && flags.forge !== undefined && flags.forge !== own) {
    throw new UserError(`only ${forges[own].title} publishes to ${host}`, {
      hint: `write --forge ${own}, or name another host`,
    })
  }
  const answered = own ?? flags.forge ?? (ask && (await answerTo('forge', undefined)))
  const name = await answerTo('name', flags.name)
  const made = slug(name)
  const username = await answerTo(
    'username',
    flags.username ?? (isUsername(made) ? made : undefined),
    `no username can be made from ${quote(name)}: give one`,
  )
  return { baseUrl, host, forge: (answered || 'github') as ForgeName, name, username }
}

/** Every file of the site, by its path: the example of an own site with these answers in it. */
function siteFiles(
  folder: string,
  { baseUrl, host, forge, name, username }: Answers,
): ReadonlyMap<string, string | Uint8Array> {
  const examples = path.join(program, 'examples')
  const { publishing } = forges[forge]
  const template = (file: string) =>
    fs
      .readFileSync(path.join(examples, file), 'utf8')
      .replaceAll('example-member', username)
      .replaceAll(forges.github.publishing, publishing)
  const content = (kind: SchemaName, values: NewValues) =>
    changeKeys(firstLine(kind, 'node_modules/shotpress/schemas'), values, kind).text!
  const files = new Map<string, string | Uint8Array>([
    ['content/site.yaml', content('site', { base_url: baseUrl, ...firstHosts[host]?.site })],
    [`content/members/${username}/profile.yaml`, content('profile', { id: '1', name })],
    ['.gitignore', 'node_modules/\n/dist/\n/gallery/\n.shotpress/\n'],
    [publishing, publish[forge](host, template)],
  ])
  const shown = [
    ['own-site', 'README.md', '.vscode/*'],
    [forge === 'github' ? 'own-site' : forge, '.*/workflows/!(publish).yml'],
  ] as const
  for (const [example, ...patterns] of shown)
    for (const file of glob
      .sync(patterns, { cwd: path.join(examples, example), dot: true })
      .sort())
      files.set(file, template(`${example}/${file}`))
  const { dependency, copied } = packageSource(folder)
  const tool = firstHosts[host]?.tool
  for (const file of copied)
    files.set(`shotpress/${file}`, fs.readFileSync(path.join(program, file)))
  const { devDependencies, ...site } = JSON.parse(template('own-site/package.json'))
  const manifest = {
    ...site,
    dependencies: { shotpress: dependency },
    ...(tool && { devDependencies: tool }),
  }
  files.set('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  return files
}

/** What publishes the site, in each forge's words. */
const publish: Readonly<
  Record<ForgeName, (host: string, template: (file: string) => string) => string>
> = {
  github: (host, template) => template(`publish/${host}.yml`),
  gitlab: (host, template) => template(`gitlab/${host}.yml`) + template('gitlab/ci.yml'),
  forgejo: (host, template) =>
    host === 'codeberg-pages'
      ? template('forgejo/codeberg-pages.yml')
      : // the same but for where actions come from, and what a job runs in
        template(`publish/${host}.yml`)
          .replaceAll('uses: actions/', 'uses: https://data.forgejo.org/actions/')
          .replaceAll('ubuntu-latest', 'docker\n    container: { image: node:24 }')
          .replaceAll('sudo ', ''),
}

/**
 * What the site's package.json names, so that it gets this very program: the version, if it
 * was published; else the folder of a clone, or a copy in the site.
 */
function packageSource(folder: string): {
  readonly dependency: string
  readonly copied: readonly string[]
} {
  const manifest = fs.readFileSync(path.join(program, 'package.json'), 'utf8')
  const { version, private: unpublished } = JSON.parse(manifest)
  if (!unpublished) return { dependency: `^${version}`, copied: [] }
  const isClone = fs.existsSync(path.join(program, 'scripts/init.ts'))
  const source = isClone
    ? path.relative(folder, program).split(path.sep).join('/')
    : './shotpress'
  const copied = isClone ? [] : glob.sync('**', { cwd: program, dot: true }).sort()
  return { dependency: `file:${source}`, copied }
}
