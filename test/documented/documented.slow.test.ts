import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commitAll } from '../git.ts'
import { makeCertificate } from '../hosts/engine.ts'
import { isPosix, onPosix } from '../posix.ts'
import { makeFolder, readText, readTree, sandbox, writeTree } from '../sandbox.ts'
import { checkout, hostOf, prepare, start } from '../start/checkout.ts'
import { texts } from '../tables.ts'
import { type Running, startReference } from '../verify/reference-host.ts'
import { documentedLines, inPage } from './lines.ts'
import { statuses, substitutions, untried } from './tables.ts'

const lines = documentedLines()
const reasonOf = (text: string) => untried.find(([pattern]) => pattern.test(text))?.[1]
const substituted = (line: string) =>
  substitutions.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    line,
  )
const tried = lines.filter(({ text }) => reasonOf(text) === undefined)
/** Without those that would run what another one runs. */
const different = [...new Map(tried.map((line) => [substituted(line.text), line])).values()]

const folder = sandbox({}, afterAll)
const project = `${folder}/project`
let host: Running
let certificate: string

/** The example's content as it was before each line, and nothing published. */
const reset = () => {
  fs.rmSync(`${project}/public`, { recursive: true, force: true })
  // of a line that built with --published; the host serves none
  fs.rmSync(`${project}/dist/published.json`, { force: true })
  fs.rmSync(`${project}/content`, { recursive: true, force: true })
  // with addresses in place of pictures: an import compares them with the host's
  for (const [file, text] of Object.entries(readTree('test/example/content'))) {
    if (!file.endsWith('.yaml')) continue
    writeTree(project, { [`content/${file}`]: text.replaceAll(': ./', ': works/') })
  }
}

/**
 * What starts a command: node itself, as npm and pnpm take as long again as most commands.
 * The weekly run has those two do it, as people type it.
 */
const starters = {
  node: { command: 'node scripts/run.cjs ', script: 'node scripts/run.cjs ' },
  npm: { command: 'npx shotpress ', script: 'npm run -s ' },
  pnpm: { command: 'pnpm exec shotpress ', script: 'pnpm run ' },
} as const
const starter = starters[(process.env.STARTER ?? 'node') as keyof typeof starters]

/** Not where a manager's own words may get into a file. */
const started = (line: string) =>
  /^npm run .*[>|]/.test(line)
    ? line
    : line
        .replace(/^npx shotpress /, starter.command)
        .replace(/^npm run (?=(?:build|check|gallery|tidy)$)/, starter.script)

const run = async (line: string) => {
  const urls = {
    HTTPS: `https://localhost:${host.ports.https}`,
    HTTP: `http://localhost:${host.ports.http}`,
  }
  const text = started(substituted(line)).replace(
    /\bHTTPS?(?= |$)/g,
    (name) => urls[name as 'HTTP'],
  )
  const env = {
    ...process.env,
    PATH: `${path.join(folder, 'bin')}${path.delimiter}${process.env.PATH}`,
    FORCE_COLOR: undefined,
    NODE_EXTRA_CA_CERTS: certificate,
    HTTPS_URL: urls.HTTPS,
    HTTP_URL: urls.HTTP,
    GITHUB_STEP_SUMMARY: `${project}/summary.md`,
    SHARD: '1',
    COUNT: '1',
  }
  const child = spawn(text, {
    cwd: project,
    shell: true,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => (output += data))
  const [status] = await once(child, 'close')
  return { status, output, text }
}

/** The file that a line writes its result to. */
const fileOf = (text: string) =>
  /(?:--output|--purge|[^-]>) (\S+\.\w+|Caddyfile)/.exec(text)?.[1]

test('documented lines are found in blocks and in sentences, without prompts and comments', () => {
  const page =
    'Do `npx shotpress host x`.\n\n```sh\nnpm run build   # builds\n$ cat a\n```\n\n    npm run check\n\nUse `npm run tidy`.\n'
  expect(inPage(page)).toEqual(
    texts('npm run build¦cat a¦npm run check¦npx shotpress host x'),
  )
  expect(tried.length).toBeGreaterThan(20)
})

test('documented lines for everybody work in every shell', () => {
  const forAll = tried.filter(({ file }) => file.endsWith('.md')).map(({ text }) => text)
  expect(
    forAll.filter((text) => /&&|[|<>;](?! )|'| > /.test(text.replace(/"[^"]*"/g, ''))),
  ).toEqual([])
})

test('documented lines give a script of npm no options, which pnpm and npm 12 would take otherwise', () =>
  expect(lines.filter(({ text }) => /^npm run (?!-s )\S+ \S/.test(text))).toEqual([]))

test('documented lines that the tables name are documented', () => {
  for (const text of Object.keys(statuses))
    expect(lines.map(({ text }) => text)).toContain(text)
  const unused = untried.filter(([pattern]) => !lines.some(({ text }) => pattern.test(text)))
  expect(unused).toEqual([])
})

describe.runIf(isPosix)(onPosix('each documented line, as it is typed'), () => {
  beforeAll(async () => {
    checkout({ folder: project })
    prepare(project)
    reset()
    writeTree(project, {
      '.gitignore': 'node_modules\ndist\n.shotpress\n',
      'names.txt': 'ana\n',
    })
    // as where the project is a dependency, and pnpm is installed
    makeFolder(folder, 'bin')
    fs.symlinkSync(`${project}/scripts/run.cjs`, `${folder}/bin/shotpress`)
    const pnpm = path.resolve('.ci/managers/node_modules/pnpm-10/bin/pnpm.cjs')
    fs.symlinkSync(pnpm, `${folder}/bin/pnpm`)
    commitAll(project)
    commitAll(project)
    start(project, 'build')
    start(project, `build --out '${path.join(folder, 'served')}'`)
    start(project, 'build --shard 1/1 --out only-shard')
    start(project, 'report --base HEAD --format json --output report.json')
    const certificates = `${folder}/certificates`
    fs.mkdirSync(certificates)
    const made = await makeCertificate(certificates)
    certificate = made.cert
    host = await startReference(made)
    host.use(hostOf(`${folder}/served`))
  }, 300_000)
  afterAll(() => host.stop())

  test.each(different.map(({ text, file }) => [text, file]))('%s (%s)', async (line) => {
    reset()
    const { status, output, text } = await run(line)
    expect({ status, output, text }).toMatchObject({ status: statuses[line]?.[0] ?? 0 })
    const file = fileOf(text)
    if (file === undefined) return
    const written = readText(`${project}/${file}`)
    expect(written.trim()).not.toBe('')
    expect(written).not.toMatch(/^> shotpress@/m)
  })
})
