// Compiles commands, each with all that it imports, for Node.
'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { loadEsbuild, buildForBrowser } = require('./browser.cjs')
const { root, nameOfCopy } = require('./start.cjs')

const options = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  outdir: root,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logLevel: 'silent',
}

const verbs = fs
  .readdirSync(path.join(root, 'scripts'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `./scripts/${name}`)
const worker = './scripts/start/worker.ts'

/**
 * The packages that stay files of their own. An ES module takes longer to load than to run,
 * and is compiled in.
 */
const findPackages = () =>
  Object.keys(require(path.join(root, 'package.json')).dependencies).filter((name) => {
    const { type, main } = require(path.join(root, 'node_modules', name, 'package.json'))
    return type !== 'module' || main !== undefined
  })

/**
 * The commands as esbuild gives them back. `toRoot` leads from their folder to what is beside
 * them (schemas, examples), and `thread` is code that gives the file of a thread's program.
 */
const bundleCommands = ({ toRoot, thread, ...own }) =>
  loadEsbuild().build({
    ...options,
    ...own,
    banner: { js: preamble({ toRoot, thread }) },
    plugins: [adapt],
  })

/** The constants that compiled code uses; see scripts/snapshot/state.ts. */
const preamble = ({ toRoot, thread }) => `'use strict'
const besideCopy = (file) => require('node:path').join(__dirname, file)
const compiledCopy = { program: '${nameOfCopy()}', worker: ${thread} }
const sourceUrl = (file) => require('node:url').pathToFileURL(besideCopy('${toRoot}/' + file)).href`

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

module.exports = { bundleCommands, findPackages, options, verbs, worker }
