// Compiles every command into a file of its own, which node runs without tsx. npm does this after npm ci, and when it
// makes a package ("prepare").
'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { loadEsbuild, buildForBrowser } = require('./browser.cjs')
const { root, besideSources, inPackage, writeHeader, digestOf } = require('./copy.cjs')
const { bundlePackages } = require('./pack.cjs')

// when npm makes a package, and when it takes one from git, for which it sets the variable
const packing = process.argv[2] === '--package' || process.env.npm_package_resolved !== undefined

const worker = 'scripts/snapshot/worker.ts'

/** What the commands read at run time, and what decides how they are compiled. */
const others = [
  ...['compiled.cjs', 'profile.schema.json', 'shot.schema.json', 'site.schema.json'].map(
    (name) => `schemas/${name}`,
  ),
  ...['browser.cjs', 'compile.cjs', 'copy.cjs', 'pack.cjs'].map((name) => `scripts/start/${name}`),
  ...['gallery', 'preview'].flatMap((room) =>
    fs
      .readdirSync(path.join(root, 'scripts', room))
      .filter((name) => /script\.ts$|\.css$/.test(name))
      .map((name) => `scripts/${room}/${name}`),
  ),
]

const verbs = fs
  .readdirSync(path.join(root, 'scripts'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => path.basename(name, '.ts'))

const compile = async (folder) => {
  const modules = await bundle({ entryPoints: [...verbs.map((verb) => `scripts/${verb}.ts`), worker] })
  const own = modules.find(({ entry }) => entry === worker)
  const program = digestOf(list(modules.flatMap(({ inputs }) => inputs)))
  // a command never starts the worker of another version
  const workerName = `worker-${program.slice(0, 16)}.cjs`
  const files = modules.map(({ entry, inputs, text }) => {
    const sources = list([...inputs, ...own.inputs])
    const header = writeHeader({ digest: digestOf(sources), files: sources })
    return {
      name: entry === worker ? workerName : `${path.basename(entry, '.ts')}.cjs`,
      text: header + preamble(folder, { program, workerName }) + text,
    }
  })
  write(folder, files.reverse())
}

/** In a package all commands are one file, beside the packages that they need. */
const compilePackage = async (folder) => {
  const entries = { ...Object.fromEntries(verbs.map((verb) => [verb, `scripts/${verb}.ts`])), worker }
  const contents = Object.entries(entries)
    .map(([name, file]) => `exports[${JSON.stringify(name)}] = () => require('./${file}')`)
    .join('\n')
  const [{ inputs, text }] = await bundle({
    stdin: { contents, resolveDir: root },
    minifyWhitespace: true,
    minifySyntax: true,
  })
  const program = digestOf(list(inputs.filter((file) => file !== '<stdin>')))
  const workerName = `worker-${program.slice(0, 16)}.cjs`
  const start = (name) => `require('./packages/shotpress.cjs')[${JSON.stringify(name)}]()\n`
  write(folder, [
    ...(await bundlePackages(packages)),
    {
      name: 'packages/shotpress.cjs',
      text: preamble(path.join(folder, 'packages'), { program, workerName: `../${workerName}` }) + text,
    },
    { name: workerName, text: start('worker') },
    ...verbs.map((verb) => ({ name: `${verb}.cjs`, text: start(verb) })),
  ])
}

const list = (files) => [...new Set([...files, ...others])].sort()

/** Each entry with all of its own code, and the sources that it is made from; packages stay where they are. */
const bundle = async (options) => {
  const { outputFiles, metafile } = await loadEsbuild().build({
    absWorkingDir: root,
    outdir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: packages,
    plugins: [adapt],
    logLevel: 'silent',
    ...options,
  })
  return Object.entries(metafile.outputs).map(([name, { entryPoint, inputs }]) => ({
    entry: entryPoint,
    inputs: Object.keys(inputs),
    text: outputFiles.find(({ path: file }) => file === path.join(root, name)).text,
  }))
}

/** Those that stay files of their own. An ES module takes longer to load than to run, and is compiled in. */
const packages = Object.keys(require('../../package.json').dependencies ?? {}).filter((name) => {
  if (name === 'tsx') return false
  const { type, main } = require(path.join(root, 'node_modules', name, 'package.json'))
  return type !== 'module' || main !== undefined
})

/**
 * In the copy, too, `import.meta.url` is where the source is: modules find what lies beside them. Node's own modules
 * are taken as they are: esbuild would look up every name at each use. What browsers run is built here.
 */
const adapt = {
  name: 'adapt',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const name = path.relative(root, file).split(path.sep).join('/')
      const text = fs.readFileSync(file, 'utf8')
      return {
        contents: text
          .replace(/\bbuiltFile\('([^']+)'\)/g, (_, browserFile) =>
            JSON.stringify(buildForBrowser(browserFile)),
          )
          .replaceAll('createRequire(import.meta.url)', `takeFrom(${JSON.stringify(name)})`)
          .replaceAll('import.meta.url', `sourceUrl(${JSON.stringify(name)})`)
          .replace(nodeImport, (_, names, module) => declare(names, module)),
        loader: 'ts',
      }
    }),
}

/** A default import, or names in braces; any other form is left to esbuild. */
const nodeImport =
  /^import (?!type )(\w+|\{(?:,? (?!default )(?:type )?\w+(?: as \w+)?)+ \}) from '(node:[\w/]+)'$/gm

/** `fs` and `{ hash, type KeyObject, setTimeout as sleep }`, as constants. */
const declare = (names, module) => {
  const values = names.replace(/\btype \w+,? ?/g, '').replaceAll(' as ', ': ')
  return `const ${values} = takeModule('${module}')`
}

/** The constants that compiled code uses; see scripts/snapshot/state.ts. */
const preamble = (folder, { program, workerName }) => {
  const way = JSON.stringify(path.relative(folder, root).split(path.sep).join('/'))
  return [
    "'use strict'",
    `const sourceUrl = (file) => require('node:url').pathToFileURL(require('node:path').join(__dirname, ${way}, file)).href`,
    'const takeModule = require',
    ...(packing
      ? takingPackages
      : ['const takeFrom = (file) => takeModule("node:module").createRequire(sourceUrl(file))']),
    `const compiledCopy = { program: '${program}', worker: require('node:path').join(__dirname, '${workerName}') }`,
    '',
  ].join('\n')
}

/** In a package, packages are files beside the commands; of their package.json only the version is known. */
const versions = Object.fromEntries(
  packages.map((name) => [name, require(path.join(root, 'node_modules', name, 'package.json')).version]),
)
const takingPackages = [
  `const versions = ${JSON.stringify(versions)}`,
  "require = (name) => takeModule(name in versions ? './' + name + '.cjs' : name)",
  "const takeFrom = (file) => (name) => name in versions ? require(name) : name.endsWith('/package.json') ? { version: versions[name.slice(0, -13)] } : takeModule('node:module').createRequire(sourceUrl(file))(name)",
]

/** Puts the files in place one by one, each whole, and removes those of other versions. */
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

;(packing ? compilePackage(inPackage) : compile(besideSources)).catch((error) => {
  console.error(
    `shotpress was not compiled, so its commands run from their sources and start slower: ${error.message}`,
  )
  process.exitCode = packing ? 1 : 0
})
