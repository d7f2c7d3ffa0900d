// Compiles each command into one file, which node runs without tsx. npm does this after npm ci, and when it makes a
// package ("prepare").
'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { loadEsbuild, buildForBrowser } = require('./browser.cjs')
const { root, besideSources, inPackage, nameOfCopy } = require('./copy.cjs')
const { bundlePackages } = require('./pack.cjs')

const verbs = fs
  .readdirSync(path.join(root, 'scripts'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => path.basename(name, '.ts'))

/** The packages that stay files of their own. An ES module takes longer to load than to run, and is compiled in. */
const packages = Object.keys(require('../../package.json').dependencies ?? {}).filter((name) => {
  if (name === 'tsx') return false
  const { type, main } = require(path.join(root, 'node_modules', name, 'package.json'))
  return type !== 'module' || main !== undefined
})

const worker = './scripts/snapshot/worker.ts'

/** Each command as a file, and the program of a thread. In a package one file has them all: each as a function. */
const bundle = async ({ packing }) => {
  const commands = verbs.map(
    (verb) => `exports[${JSON.stringify(verb)}] = () => require('./scripts/${verb}.ts')`,
  )
  const thread = `if (!require('node:worker_threads').isMainThread) require('${worker}')`
  const files = Object.fromEntries([
    ...verbs.map((verb) => [verb, `./scripts/${verb}.ts`]),
    ['worker', worker],
  ])
  const { outputFiles } = await loadEsbuild().build({
    absWorkingDir: root,
    ...(packing
      ? { stdin: { contents: [...commands, thread].join('\n'), resolveDir: root } }
      : { entryPoints: files }),
    outdir: root,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifyWhitespace: packing,
    minifySyntax: packing,
    banner: { js: packing ? preamble('..', 'shotpress.cjs') : preamble('../../..', 'worker.cjs') },
    plugins: [adapt, leavePackages((name) => (packing ? `./packages/${name}.cjs` : name))],
    logLevel: 'silent',
  })
  return outputFiles.map(({ path: file, text }) => ({
    name: packing ? 'shotpress.cjs' : `${nameOfCopy()}/${path.basename(file, '.js')}.cjs`,
    text,
  }))
}

/** The constants that compiled code uses; see scripts/snapshot/state.ts. */
const preamble = (way, workerName) =>
  [
    "'use strict'",
    `const compiledCopy = { program: '${nameOfCopy()}', worker: require('node:path').join(__dirname, '${workerName}') }`,
    `const sourceUrl = (file) => require('node:url').pathToFileURL(require('node:path').join(__dirname, '${way}', file)).href`,
  ].join('\n')

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

const leavePackages = (placeOf) => ({
  name: 'leave packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\w/ }, ({ path: name }) =>
      packages.includes(name) ? { path: placeOf(name), external: true } : undefined,
    ),
})

/** Puts the files in place one by one, each whole, and removes all others. */
const write = (folder, files) => {
  for (const { name, text } of files) {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(`${file}.next`, text)
    fs.renameSync(`${file}.next`, file)
  }
  const names = files.map(({ name }) => name.split('/')[0])
  for (const name of fs.readdirSync(folder))
    if (!names.includes(name)) fs.rmSync(path.join(folder, name), { recursive: true })
}

const compile = async () => {
  // when npm makes a package, and when it takes one from git, for which it sets the variable
  const packing = process.argv[2] === '--package' || process.env.npm_package_resolved !== undefined
  const files = await bundle({ packing })
  if (packing) write(inPackage, [...files, ...(await bundlePackages(packages))])
  else write(besideSources, files)
}

compile().catch((error) => {
  console.error(
    `shotpress was not compiled, so its commands run from their sources and start slower: ${error.message}`,
  )
  process.exitCode = process.argv[2] === '--package' ? 1 : 0
})
