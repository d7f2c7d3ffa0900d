import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../hosts/engine.ts'
import { freePorts } from '../ports.ts'
import { inCi, isLinux, onLinux } from '../posix.ts'
import { until } from '../processes.ts'
import { makeFolder, namesIn, sandbox, writeTree } from '../sandbox.ts'
import { rowsOf } from '../tables.ts'
import { type Running, startReference } from '../verify/reference-host.ts'
import { checkout, hostOf } from './checkout.ts'
import { startRegistry } from './registry.ts'

// What a newcomer types, with each package manager and each Node: from nothing to a host that
// `verify` finds right. The managers come from npm (.ci/managers); Shotpress comes from a
// registry of the test, to which it is published as release.yml does it.

const managers = path.resolve('.ci/managers/node_modules')
const isThere = inCi || fs.existsSync(managers)

/** How people begin with a manager; `X` is the site's folder and what it is made of. */
const begins = {
  npx: 'npx --yes shotpress init X',
  'npm create': 'npm create --yes shotpress X',
  'pnpm dlx': 'pnpm dlx shotpress init X',
  'pnpm create': 'pnpm create shotpress X',
  'yarn create': 'yarn create shotpress X',
  'yarn dlx': 'yarn dlx shotpress init X',
} as const

/** Each manager once, each Node at least once. */
const cases = rowsOf(`
  npm-10 → node-20 → npx
  npm-11 → node-24 → npm create
  npm-12 → node-26 → npx
  pnpm-10 → node-20 → pnpm dlx
  pnpm-11 → node-22 → pnpm create
  yarn-1 → node-20 → yarn create
  yarn-4 → node-24 → yarn dlx
`)

const runs = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn' } as const

/** The file of each program that a manager brings. */
const programs = {
  npm: 'bin/npm-cli.js',
  npx: 'bin/npx-cli.js',
  pnpm: 'bin/pnpm.cjs',
  yarn: 'bin/yarn.js',
}

let registry: Awaited<ReturnType<typeof startRegistry>>
let host: Running
const folder = sandbox({}, afterAll)

/** A home with the programs of a manager and a Node on the path, and what every manager is told. */
const surroundings = (home: string, manager: string, node: string) => {
  const bin = `${managers}/${node}/bin`
  writeTree(home, {
    '.npmrc': `registry=${registry.url}/\n${registry.url.replace('http:', '')}/:_authToken=any\n`,
    '.yarnrc.yml': `npmRegistryServer: ${registry.url}\nunsafeHttpWhitelist: [127.0.0.1]\nenableTelemetry: false\n`,
  })
  makeFolder(home, 'bin')
  for (const [name, file] of Object.entries(programs)) {
    const target = [manager, 'npm-10']
      .map((one) => `${managers}/${one}/${file}`)
      .find(fs.existsSync)
    if (target === undefined) continue
    fs.writeFileSync(`${home}/bin/${name}`, `#!/bin/sh\nexec node "${target}" "$@"\n`, {
      mode: 0o755,
    })
  }
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|CI$|NODE_|INIT_CWD)/i.test(name),
  )
  return {
    ...Object.fromEntries(clean),
    PATH: `${path.join(home, 'bin')}:${bin}:/usr/bin:/bin`,
    HOME: home,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_DATA_HOME: `${home}/data`,
    npm_config_registry: `${registry.url}/`,
    npm_config_prefix: `${home}/global`,
    PREFIX: `${home}/global`,
    npm_config_update_notifier: 'false',
    YARN_NODE_LINKER: 'node-modules',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  }
}

const start = (line: string, cwd: string, env: NodeJS.ProcessEnv) => {
  const child = spawn(line, {
    cwd,
    shell: true,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => (said.text += data))
  return { child, said, closed: once(child, 'close') }
}

const run = async (line: string, cwd: string, env: NodeJS.ProcessEnv) => {
  const { said, closed } = start(line, cwd, env)
  const [status] = await closed
  if (status !== 0) throw new Error(`${line} ended with ${status}:\n${said.text}`)
  return said.text
}

const journey = async (manager: string, node: string, begin: string) => {
  const home = sandbox()
  const env = surroundings(home, manager, node)
  const [http, https] = await freePorts()
  const name = manager.replace(/-.*/, '') as keyof typeof runs
  const separator = begin === 'npm create' ? '-- ' : ''
  const answers = `site ${separator}--base-url http://127.0.0.1:${http} --host bucket --name Ana-Example`
  const said = await run(begins[begin as 'npx'].replace('X', answers), home, env)
  expect(said).toContain(`\n  cd site\n  ${name} install\n  ${name} run preview\n`)
  const site = `${home}/site`
  await run(`${name} install`, site, env)
  const installed = namesIn(site, 'node_modules')
  expect(installed.filter((one) => !one.startsWith('.'))).toEqual(['shotpress'])
  await run(`${name} run build`, site, env)
  const shotpress = `${runs[name]} shotpress`
  await run(
    `${shotpress} new shot ana-example --title Tea --image https://example.com/t.png`,
    site,
    env,
  )
  expect(await run(`${shotpress} check --format lines`, site, env)).toContain('all is well')

  const preview = start(`${shotpress} preview --http ${http} --https ${https}`, site, env)
  onTestFinished(async () => {
    process.kill(-preview.child.pid!)
    await preview.closed
  })
  await until(
    () => preview.said.text,
    (text) => text.includes(`:${https}/`),
  )
  const answer = await fetch(`http://127.0.0.1:${http}/api/username/ana-example/shots`)
  expect(await answer.text()).toContain('"title":"Tea"')

  await run(`${shotpress} deploy ./public`, site, env)
  host.use(hostOf(`${site}/public`))
  const addresses = `http://localhost:${host.ports.http} https://localhost:${host.ports.https}`
  expect(await run(`${shotpress} verify ${addresses} --insecure`, site, env)).toContain(
    'no problems',
  )
}

describe.runIf(isLinux && isThere)(
  `${onLinux('a newcomer', "the managers' Nodes")}${isThere ? '' : ' (skipped: npm ci --prefix .ci/managers)'}`,
  () => {
    beforeAll(async () => {
      registry = await startRegistry()
      host = await startReference(await makeCertificate(folder))
      const program = checkout({ folder: `${folder}/program` })
      const env = surroundings(folder, 'npm-10', 'node-22')
      await run(
        'node scripts/start/package.cjs https://github.com/example/shotpress',
        program,
        env,
      )
      // as release.yml does it: the file that was packed is what is published
      for (const name of ['shotpress', 'create-shotpress']) {
        await run(`npm pack --silent ./package/${name}`, program, env)
        await run(`npm publish --silent ./${name}-[0-9]*.tgz`, program, env)
      }
    })
    afterAll(() => Promise.all([registry.stop(), host.stop()]))

    test.each(cases)('comes with %s and %s by %s to a host that is right', journey)
  },
)
