// What a package has that a clone has not: the packages that the commands need, each compiled into one file. So an
// installation is one package, and nothing in it changes but by a release.
'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { loadEsbuild } = require('./browser.cjs')
const { root } = require('./copy.cjs')

/** Each package with all that it needs as `packages/<name>.cjs`, and the licences of all of them. */
const bundlePackages = async (names) => {
  const { outputFiles, metafile } = await loadEsbuild().build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(names.map((name) => [name, name])),
    outdir: path.join(root, 'packages'),
    outExtension: { '.js': '.cjs' },
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    legalComments: 'none',
    logLevel: 'silent',
  })
  const folders = Object.keys(metafile.inputs).map(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0],
  )
  return [
    ...outputFiles.map((file) => ({
      name: path.relative(root, file.path).split(path.sep).join('/'),
      text: file.text,
    })),
    { name: 'packages/LICENSES.txt', text: licences([...new Set(folders)].filter(Boolean).sort()) },
  ]
}

/** A package without the text of a licence can't be passed on. */
const licences = (folders) =>
  folders
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'),
      )
      const file = fs.readdirSync(path.join(root, folder)).find((name) => /^licen[cs]e/i.test(name))
      const text =
        file === undefined ? '' : `\n${fs.readFileSync(path.join(root, folder, file), 'utf8').trim()}\n`
      return `${name} ${version}: ${license}\n${text}`
    })
    .join('\n----\n\n')

const manifest = path.join(root, 'package.json')
const aside = path.join(root, 'package.json.aside')

/** While the package is made, its package.json names nothing to install. */
const trimManifest = () => {
  const text = fs.readFileSync(manifest, 'utf8')
  const { dependencies: _, devDependencies: __, overrides: ___, scripts: ____, ...rest } = JSON.parse(text)
  fs.writeFileSync(aside, text)
  fs.writeFileSync(manifest, `${JSON.stringify(rest, null, 2)}\n`)
}

const restoreManifest = () => {
  if (fs.existsSync(aside)) fs.renameSync(aside, manifest)
}

module.exports = { bundlePackages }

// npm runs these before and after it makes the package
if (require.main === module) {
  restoreManifest()
  if (process.argv[2] === 'trim') trimManifest()
}
