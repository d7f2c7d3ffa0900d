// Builds what a browser runs: a script (.ts) or a stylesheet (.css) with all that it imports,
// as one text.
'use strict'
const { createRequire } = require('node:module')
const path = require('node:path')

/** The esbuild that tsx brings along. */
const loadEsbuild = () => createRequire(require.resolve('tsx/package.json'))('esbuild')

/** The text of a file of the project, such as `scripts/gallery/script.ts`. */
const buildForBrowser = (file) => {
  const { outputFiles } = loadEsbuild().buildSync({
    absWorkingDir: path.resolve(__dirname, '../..'),
    entryPoints: [file],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    charset: 'utf8',
    logLevel: 'silent',
  })
  return outputFiles[0].text
}

module.exports = { loadEsbuild, buildForBrowser }
