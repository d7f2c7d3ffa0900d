// Compiles each command into one file, which node runs without tsx. npm does this after npm ci ("prepare"). When it makes
// a package ("prepack"), one file has all commands, and the packages that they need are beside it, each compiled into one: so
// an installation is one package, and nothing in it changes but by a release.
'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { loadEsbuild, buildForBrowser } = require('./browser.cjs')
const { root, besideSources, inPackage, nameOfCopy } = require('./start.cjs')

const manifest = path.join(root, 'package.json')
const aside = path.join(root, 'package.json.aside')
const [, , step] = process.argv
// an earlier package may have been broken off
if (fs.existsSync(aside)) fs.renameSync(aside, manifest)

/** When npm makes a package, and when it takes one from git, for which it sets the variable. */
const packing = step === '--package' || process.env.npm_package_resolved !== undefined

/** The packages that stay files of their own. An ES module takes longer to load than to run, and is compiled in. */
const findPackages = () =>
  Object.keys(JSON.parse(fs.readFileSync(manifest, 'utf8')).dependencies ?? {}).filter((name) => {
    const { type, main } = require(path.join(root, 'node_modules', name, 'package.json'))
    return type !== 'module' || main !== undefined
  })

const options = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logLevel: 'silent',
}

const verbs = fs
  .readdirSync(path.join(root, 'scripts'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `./scripts/${name}`)
const worker = './scripts/snapshot/worker.ts'

/** Each command as a file, and the program of a thread. In a package one file has them all: each as a function. */
const bundle = async (packages) => {
  const commands = verbs.map((file) => `exports['${path.basename(file, '.ts')}'] = () => require('${file}')`)
  const thread = `if (!require('node:worker_threads').isMainThread) require('${worker}')`
  const { outputFiles } = await loadEsbuild().build({
    ...options,
    ...(packing
      ? { stdin: { contents: [...commands, thread].join('\n'), resolveDir: root } }
      : { entryPoints: [...verbs, worker] }),
    outdir: root,
    minifyWhitespace: packing,
    minifySyntax: packing,
    external: packing ? ['./packages/*'] : packages,
    alias: packing ? Object.fromEntries(packages.map((name) => [name, `./packages/${name}.cjs`])) : {},
    banner: { js: preamble },
    plugins: [adapt],
  })
  return outputFiles.map(({ path: file, text }) => [
    packing ? 'shotpress.cjs' : `${copyName}/${path.basename(file, '.js')}.cjs`,
    text,
  ])
}

const copyName = nameOfCopy()

/** The constants that compiled code uses; see scripts/snapshot/state.ts. */
const preamble = `'use strict'
const besideCopy = (file) => require('node:path').join(__dirname, file)
const compiledCopy = { program: '${copyName}', worker: ${packing ? '__filename' : "besideCopy('worker.cjs')"} }
const sourceUrl = (file) => require('node:url').pathToFileURL(besideCopy('${packing ? '..' : '../../..'}/' + file)).href`

/** In the copy, too, `import.meta.url` is where the source is; what browsers run is built now. */
const adapt = {
  name: 'adapt',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const name = path.relative(root, file).split(path.sep).join('/')
      const contents = fs
        .readFileSync(file, 'utf8')
        .replace(/\bbuiltFile\('([^']+)'\)/g, (_, browserFile) =>
          JSON.stringify(buildForBrowser(browserFile)),
        )
        .replace('const require = createRequire(import.meta.url)', '')
        .replaceAll('import.meta.url', `sourceUrl(${JSON.stringify(name)})`)
      return { contents, loader: 'ts' }
    }),
}

/** Each package with all that it needs as `packages/<name>.cjs`, and the licences of all of them. */
const bundlePackages = async (names) => {
  const { outputFiles, metafile } = await loadEsbuild().build({
    ...options,
    entryPoints: Object.fromEntries(names.map((name) => [`packages/${name}`, name])),
    outdir: root,
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

/** Puts the files in place one by one, each whole, as another process may be at it too; removes all else. */
const write = (folder, files) => {
  for (const [name, text] of files) {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(`${file}.${process.pid}`, text)
    fs.renameSync(`${file}.${process.pid}`, file)
  }
  const names = files.map(([name]) => name.split(/[/\\]/)[0])
  for (const name of fs.readdirSync(folder))
    if (!names.includes(name)) fs.rmSync(path.join(folder, name), { recursive: true, force: true })
}

/** While the package is made, its package.json names nothing to install. */
const trimManifest = () => {
  const text = fs.readFileSync(manifest, 'utf8')
  const { dependencies: _, devDependencies: __, overrides: ___, scripts: ____, ...rest } = JSON.parse(text)
  fs.writeFileSync(aside, text)
  fs.writeFileSync(manifest, `${JSON.stringify(rest, null, 2)}\n`)
}

const compile = async () => {
  const packages = findPackages()
  const files = await bundle(packages)
  if (packing) write(inPackage, [...files, ...(await bundlePackages(packages))])
  else write(besideSources, files)
  if (step === '--package') trimManifest()
}

const fail = (error) => {
  console.error(
    `shotpress was not compiled, so its commands run from their sources and start slower: ${error.message}`,
  )
  process.exitCode = step === '--package' ? 1 : 0
}

// after npm has made the package, its manifest is put back, and that is all
if (step !== '--packed') compile().catch(fail)
