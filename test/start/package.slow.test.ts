import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { parse } from 'yaml'
import { captured } from '../captured.ts'
import { fakes } from '../fakes.ts'
import { commitAll, git } from '../git.ts'
import { inCi, isPosix, onPosix } from '../posix.ts'
import type { Outcome } from '../processes.ts'
import {
  appendTo,
  isThere,
  readJson,
  readText,
  removeFrom,
  sandbox,
  type Texts,
} from '../sandbox.ts'
import { texts } from '../tables.ts'
import { checkout, verbs } from './checkout.ts'

const folder = sandbox({}, afterAll)
let tarball: string
/** The files of the package, by path, with their texts. */
const files = new Map<string, string>()

beforeAll(() => {
  const program = checkout({ folder: `${folder}/program` })
  run('npm run -s package', program)
  run('npm pack --loglevel error --pack-destination .. ./package/shotpress', program)
  tarball = path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith('.tgz'))!)
  run(`tar -xzf ${path.basename(tarball)}`, folder)
  const root = `${folder}/package`
  for (const name of glob.sync('**', { cwd: root, dot: true })) {
    files.set(name, fs.readFileSync(`${root}/${name}`, 'latin1'))
  }
  expect(readText(`${program}/package.json`)).toBe(readText('package.json'))
})

/** Runs a line as people type it. */
const run = (line: string, cwd: string): Outcome => {
  const { status, stdout, stderr } = spawnSync(line, {
    cwd,
    shell: true,
    encoding: 'utf8',
    env: { ...process.env, npm_config_update_notifier: 'false', CI: undefined },
  })
  if (status !== 0 && !/^(?:npx shotpress|npm run -s)/.test(line))
    throw new Error(`${line}: ${stdout}${stderr}`)
  return { status, stdout, stderr }
}

/**
 * A site as a newcomer makes it: the package in an empty folder, init, install. Nothing is
 * fetched.
 */
const newSite = (host = 'bucket', forge = '') => {
  const begin = sandbox({ 'package.json': '{}' })
  run(`npm install --offline --loglevel error ${tarball}`, begin)
  run(
    `npx --no -- shotpress init site --base-url https://api.example.com --host ${host} --name "Ana Example" ${forge}`,
    begin,
  )
  withoutTool(`${begin}/site`)
  run('npm install --offline --loglevel error --prefix site', begin)
  return `${begin}/site`
}

/**
 * What publishes can't be installed without a network: the workflows' tests have a program in
 * its place.
 */
const withoutTool = (site: string) => {
  const file = `${site}/package.json`
  const { devDependencies: _, ...manifest } = readJson(file)
  fs.writeFileSync(file, JSON.stringify(manifest))
}

test('the project itself is not a package: npm pack says what is', () => {
  const { status, stderr } = run('npm run -s prepack', `${folder}/program`)
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr:
      'error: this folder is not what is published\n  hint: run npm run package, then pack or publish ./package/shotpress\n',
  })
})

test('packages are private unless they name a repository, and then both are as they are published', () => {
  const program = `${folder}/program`
  const manifests = () =>
    ['shotpress', 'create-shotpress'].map((name) =>
      readJson(`${program}/package/${name}/package.json`),
    )
  for (const manifest of manifests()) expect(manifest).toMatchObject({ private: true })
  const { status } = spawnSync(
    'node',
    ['scripts/start/package.cjs', 'https://github.com/a/b'],
    {
      cwd: program,
    },
  )
  expect(status).toBe(0)
  for (const manifest of manifests()) {
    expect(manifest.private).toBeUndefined()
    expect(manifest).toMatchObject({
      repository: { type: 'git', url: 'git+https://github.com/a/b.git' },
      homepage: 'https://github.com/a/b#readme',
      bugs: 'https://github.com/a/b/issues',
      keywords: expect.arrayContaining(['static-api']),
    })
  }
})

test('a package holds what the commands need and name, no sources, and nothing to install', () => {
  const names = [...files.keys()]
  expect(names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([])
  expect(names.filter((name) => name.startsWith('scripts/'))).toEqual([
    'scripts/run.cjs',
    'scripts/start/start.cjs',
  ])
  expect(names).toEqual(
    expect.arrayContaining(['compiled/shotpress.cjs', 'compiled/packages/yaml.cjs']),
  )
  const { dependencies, devDependencies, scripts } = JSON.parse(files.get('package.json')!)
  expect({ dependencies, devDependencies, scripts }).toEqual({})
  expect(files.get('compiled/packages/LICENSES.txt')).toMatch(/^yaml \d/m)
  expect(fs.statSync(tarball).size).toBeLessThan(1_500_000)
})

test('a package has no dead link in its pages', () => {
  const names = [...files.keys()]
  const dead = names
    .filter((name) => name.endsWith('.md'))
    .flatMap((page) =>
      captured(files.get(page)!, /\]\((?!https?:|mailto:|#)([^)#\s]+)/g).map((link) =>
        path.posix.join(path.posix.dirname(page), link).replace(/\/$/, ''),
      ),
    )
    .filter(
      (target) => !names.some((name) => name === target || name.startsWith(`${target}/`)),
    )
  expect(dead).toEqual([])
})

test('a package builds the same bytes as a checkout', () => {
  const site = newSite()
  removeFrom(site, 'content')
  fs.cpSync('test/golden/content', `${site}/content`, { recursive: true })
  run('npx --no -- shotpress build', site)
  expect(readText(`${site}/dist/SHA256SUMS`)).toBe(readText('test/golden/dist/SHA256SUMS'))
})

test('a site that init writes has a script for every command', () => {
  const { scripts } = readJson('examples/own-site/package.json')
  const own = [...new Set([...verbs, 'gallery'])].filter((verb) => verb !== 'init')
  expect(scripts).toEqual(Object.fromEntries(own.map((verb) => [verb, `shotpress ${verb}`])))
})

test('a site that init writes has what its commands and its editor look for', () => {
  const site = newSite()
  for (const line of texts('host nginx¦check --help¦tidy¦verify --help¦import --help')) {
    expect(run(`npx shotpress ${line}`, site), line).toMatchObject({ status: 0 })
  }
  // each schema that a file or the settings name is there
  for (const file of glob.sync('content/**/*.yaml', { cwd: site, absolute: true })) {
    const [, schema] = /^# yaml-language-server: \$schema=(.*)\n/.exec(readText(file))!
    expect(isThere(path.dirname(file), schema!), schema).toBe(true)
  }
})

type Step = {
  readonly run?: string
  readonly uses?: string
  readonly env?: Texts
  readonly with?: Texts
  readonly if?: string
}

/** The steps of a workflow's one job, with those of our own action in their place. */
const stepsOf = (file: string) => {
  const [job] = Object.values(parse(readText(file)).jobs) as {
    steps: readonly Step[]
  }[]
  const own = parse(readText('action.yml'))
  return job!.steps.flatMap((step) => {
    if (step.uses !== './node_modules/shotpress') return [step]
    const inputs = {
      task: own.inputs.task.default,
      content: own.inputs.content.default,
      ...step.with,
    }
    return (own.runs.steps as readonly Step[])
      .filter(({ if: when = '' }) => when.includes(`inputs.task == '${inputs.task}'`))
      .map((one) => filled(one, inputs))
  })
}

/** A step with inputs, secrets and variables in their places. */
const filled = (step: Step, values: Texts) =>
  JSON.parse(
    JSON.stringify(step).replace(
      /\$\{\{ (?:\w+\.)*([\w-]+)(?: \|\| '([^']*)')? \}\}/g,
      (_, name, otherwise = '') => values[name] || otherwise,
    ),
  )

/** Programs that reach an account do nothing, and nothing is fetched. */
const withoutAccounts = () => {
  const npx = '[ "$1" != shotpress ] || { shift; exec ./node_modules/.bin/shotpress "$@"; }'
  const { bin, calls } = fakes({ sudo: '', 'apt-get': '', gh: '', npx })
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    npm_config_offline: 'true',
  }
  return { bin, env, calls }
}

/** A store and a server that are folders of this machine. */
const folders = {
  RCLONE_CONFIG_STORE_TYPE: 'alias',
  RCLONE_CONFIG_STORE_REMOTE: '/',
  RCLONE_CONFIG_SERVER_TYPE: 'alias',
  RCLONE_CONFIG_SERVER_REMOTE: '/',
}

type Values = Texts

/** Runs the lines of a workflow in a site, in order. */
const runWorkflow = (site: string, name: string, values: Values = {}) => {
  const { bin, env, calls } = withoutAccounts()
  const summary = `${bin}/summary.md`
  let output = ''
  for (const step of stepsOf(`${site}/${name}`)) {
    const { run: lines, env: own } = filled(step, values)
    if (lines === undefined) continue
    const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', lines], {
      cwd: site,
      encoding: 'utf8',
      env: {
        ...env,
        RUNNER_TEMP: bin,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_BASE_REF: 'main',
        GITHUB_ACTION_PATH: `${site}/node_modules/shotpress`,
        ...own,
        ...folders,
      },
    })
    output += stdout + stderr
    if (status !== 0) return { status, output, calls: calls() }
  }
  output += fs.existsSync(summary) ? readText(summary) : ''
  return { status: 0, output, calls: calls() }
}

const managers = path.resolve('.ci/managers/node_modules')

/** Skips a test of a forge whose runner is not there. */
const requireRunner = (forge: string, { skip }: TestContext) =>
  skip(
    !inCi && forge === 'gitlab' && !fs.existsSync(managers),
    'npm ci --prefix .ci/managers',
  )

/** The same with what stands for GitLab: a pipeline of the jobs whose rules are for `source`. */
const runPipeline = (site: string, source: string, values: Values = {}) => {
  const { env, calls } = withoutAccounts()
  const settings = { ...values, CI_PIPELINE_SOURCE: source }
  const { status, stdout, stderr } = spawnSync(
    `${managers}/node-24/bin/node`,
    [
      `${managers}/gitlab-ci-local/dist/index.js`,
      '--force-shell-executor',
      '--no-shell-isolation',
      ...Object.entries(settings).flatMap(([name, value]) => [
        '--variable',
        `${name}=${value}`,
      ]),
    ],
    {
      cwd: site,
      encoding: 'utf8',
      env: { ...env, GCL_IGNORE_PREDEFINED_VARS: Object.keys(settings).join(',') },
    },
  )
  return { status, output: stdout + stderr, calls: calls() }
}

const publishing = {
  github: (site: string, values?: Values) =>
    runWorkflow(site, '.github/workflows/publish.yml', values),
  forgejo: (site: string, values?: Values) =>
    runWorkflow(site, '.forgejo/workflows/publish.yml', values),
  gitlab: (site: string, values: Values = {}) => {
    const file = `${site}/.gitlab-ci.yml`
    const text = readText(file)
    fs.writeFileSync(file, text.replace(/(RCLONE_CONFIG_\w+_TYPE)=\w+/, '$1=alias'))
    return runPipeline(site, text.includes('NETLIFY') ? 'schedule' : 'push', values)
  },
} as const
const forges = ['github', 'gitlab', 'forgejo'] as const

describe.runIf(isPosix)(onPosix('the workflows of a site, step by step'), () => {
  const profile = 'content/members/ana-example/profile.yaml'
  /** A site with a second commit, and a branch for the first one, as in a pull request. */
  const proposed = (forge: string) => {
    const site = newSite('bucket', `--forge ${forge}`)
    commitAll(site)
    git(site, 'update-ref refs/remotes/origin/main HEAD')
    appendTo(site, profile, 'bio: A new sentence\n')
    commitAll(site)
    return site
  }
  const checking = {
    github: (site: string) => runWorkflow(site, '.github/workflows/check.yml'),
    forgejo: (site: string) => runWorkflow(site, '.forgejo/workflows/check.yml'),
    gitlab: (site: string) =>
      runPipeline(site, 'merge_request_event', { CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD^1' }),
  }

  test.for(forges)('check a pull request on %s, and say what it brings', (forge, context) => {
    requireRunner(forge, context)
    const site = proposed(forge)
    expect(checking[forge](site)).toMatchObject({
      status: 0,
      output: expect.stringContaining('A new sentence'),
    })
    appendTo(site, profile, 'boi: x\n')
    expect(checking[forge](site)).toMatchObject({
      status: 1,
      output: expect.stringContaining(profile),
    })
  })

  const hosts = [
    ['cloudflare', 'npx wrangler ', ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID']],
    ['netlify', 'npx netlify-cli ', ['NETLIFY_AUTH_TOKEN', 'NETLIFY_SITE_ID']],
    ['bucket', 'apt-get ', texts('STORE_ENDPOINT¦STORE_KEY_ID¦STORE_KEY¦STORE_BUCKET')],
    [
      'server',
      'apt-get ',
      texts('SERVER_HOST¦SERVER_USER¦SERVER_KNOWN_HOSTS¦SERVER_KEY¦SERVER_FOLDER'),
    ],
  ] as const

  test.for(forges.flatMap((forge) => hosts.map((host) => [forge, ...host] as const)))(
    'publish from %s to %s on the first push, or say in one line what is missing',
    ([forge, host, call, names], context) => {
      requireRunner(forge, context)
      const site = newSite(host, `--forge ${forge}`)
      commitAll(site)
      expect(publishing[forge](site)).toMatchObject({
        status: 1,
        output: expect.stringMatching(/Nothing was published\. Set the /),
      })
      const folder = `${sandbox()}/public`
      const values = names.map((name) => [name, /BUCKET|FOLDER/.test(name) ? folder : 'x'])
      expect(
        publishing[forge](site, { ...Object.fromEntries(values), ...folders }),
      ).toMatchObject({
        status: 0,
        calls: expect.stringContaining(call),
      })
      expect(isThere(folder, 'SHA256SUMS')).toBe(call === 'apt-get ')
    },
  )

  test.for([
    ['github', 'gallery'],
    ['gitlab', 'public'],
    ['codeberg', 'gallery'],
  ] as const)('publish the gallery to the Pages of %s', ([name, folder], context) => {
    requireRunner(name, context)
    const site = newSite(`${name}-pages`)
    commitAll(site)
    const forge = name === 'codeberg' ? 'forgejo' : name
    expect(publishing[forge](site)).toMatchObject({ status: 0 })
    expect(isThere(site, `${folder}/members/ana-example/index.html`)).toBe(true)
  })
})
