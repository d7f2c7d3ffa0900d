// Makes what goes to a registry, `npm run package`: a folder for each package, with a
// manifest of its own, so that the project's is never touched. In package/shotpress one file
// has all commands, and the packages that they need are beside it, each compiled into one: an
// installation is one package, and nothing in it changes but by a release. Without the
// address of a repository, which provenance asks for, the packages are private: npm refuses
// to publish them.
'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { root } = require('./start.cjs')

const [, , repository] = process.argv
const made = path.join(root, 'package/shotpress')
const starter = path.join(root, 'package/create-shotpress')

/** What is copied as it is: what commands read, what people read, and how commands start. */
const copied = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'action.sh',
  'action.yml',
  'clients',
  'docs',
  'examples',
  'schemas',
  'scripts/run.cjs',
  'scripts/start/start.cjs',
]

/** What is for the project alone: the sources of the clients. */
const isSource = (file) => file.endsWith('.ts') && !file.endsWith('.d.ts')

const makePackages = async () => {
  const { bundleCommands, findPackages, verbs, worker } = require('./bundle.cjs')
  const packages = findPackages()
  const commands = verbs.map(
    (file) => `exports['${path.basename(file, '.ts')}'] = () => require('${file}')`,
  )
  const thread = `if (!require('node:worker_threads').isMainThread) require('${worker}')`
  const { outputFiles } = await bundleCommands({
    stdin: { contents: [...commands, thread].join('\n'), resolveDir: root },
    external: ['./packages/*'],
    alias: Object.fromEntries(packages.map((name) => [name, `./packages/${name}.cjs`])),
    toRoot: '..',
    thread: '__filename',
    minifyWhitespace: true,
    minifySyntax: true,
  })
  fs.rmSync(path.join(root, 'package'), { recursive: true, force: true })
  for (const name of copied) {
    fs.cpSync(path.join(root, name), path.join(made, name), {
      recursive: true,
      filter: (file) => !isSource(file),
    })
  }
  write('compiled/shotpress.cjs', outputFiles[0].text)
  for (const [name, text] of await bundlePackages(packages)) write(`compiled/${name}`, text)
  const { name, version, description, keywords, license, type, bin, exports, engines } =
    readProject()
  const manifest = {
    name,
    version,
    description,
    keywords,
    license,
    type,
    bin,
    exports,
    engines,
  }
  writeManifest(made, manifest)
  fs.cpSync(path.join(root, 'create'), starter, { recursive: true })
  const own = JSON.parse(fs.readFileSync(path.join(starter, 'package.json'), 'utf8'))
  writeManifest(starter, {
    ...own,
    version,
    license,
    engines,
    dependencies: { shotpress: version },
  })
}

const readProject = () => JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))

const write = (name, text) => {
  fs.mkdirSync(path.dirname(path.join(made, name)), { recursive: true })
  fs.writeFileSync(path.join(made, name), text)
}

const writeManifest = (folder, manifest) => {
  const origin =
    repository === undefined
      ? { private: true }
      : {
          repository: { type: 'git', url: `git+${repository}.git` },
          homepage: `${repository}#readme`,
          bugs: `${repository}/issues`,
        }
  fs.writeFileSync(
    path.join(folder, 'package.json'),
    `${JSON.stringify({ ...manifest, ...origin }, null, 2)}\n`,
  )
}

/**
 * Each package with all that it needs as `packages/<name>.cjs`, and the licences of all of
 * them.
 */
const bundlePackages = async (names) => {
  const { options } = require('./bundle.cjs')
  const { loadEsbuild } = require('./browser.cjs')
  const { outputFiles, metafile } = await loadEsbuild().build({
    ...options,
    entryPoints: Object.fromEntries(names.map((name) => [`packages/${name}`, name])),
    outExtension: { '.js': '.cjs' },
    metafile: true,
    minify: true,
    legalComments: 'none',
  })
  const folders = Object.keys(metafile.inputs).flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [],
  )
  return [
    ...outputFiles.map((file) => [path.relative(root, file.path), file.text]),
    ['packages/LICENSES.txt', [...new Set(folders)].sort().map(licence).join('\n----\n\n')],
  ]
}

/** A package without the text of a licence can't be passed on. */
const licence = (folder) => {
  const { name, version, license } = require(path.join(root, folder, 'package.json'))
  const file = fs.readdirSync(path.join(root, folder)).find((one) => /^licen[cs]e/i.test(one))
  const text = file && `\n${fs.readFileSync(path.join(root, folder, file), 'utf8').trim()}\n`
  return `${name} ${version}: ${license}\n${text ?? ''}`
}

const fail = (message, hint) => {
  console.error(`error: ${message}\n  hint: ${hint}`)
  process.exitCode = 2
}

// what "npm pack" and "npm publish" ask for first, in the project's own folder
if (process.env.npm_lifecycle_event === 'prepack') {
  fail(
    'this folder is not what is published',
    'run npm run package, then pack or publish ./package/shotpress',
  )
} else {
  makePackages().catch((error) => {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    fail('the packages that Shotpress needs are not installed', 'run npm ci')
  })
}
