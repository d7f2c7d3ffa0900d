// Where the compiled copy of the program is.
'use strict'
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')

const root = path.resolve(__dirname, '../..')

/** Beside the sources: where a pull request can't leave anything, as `npm ci` empties it first. */
const besideSources = path.join(root, 'node_modules/.shotpress')

/** In a package, which has no sources. */
const inPackage = path.join(root, 'compiled')

/** The compiled copy of the sources as they are; `undefined` if there is none. */
const findCopy = () => {
  const hasSources = fs.existsSync(path.join(root, 'scripts/build.ts'))
  const file = hasSources ? path.join(besideSources, nameOfCopy()) : path.join(inPackage, 'shotpress.cjs')
  return fs.existsSync(file) ? file : undefined
}

/** What a copy of the sources as they are is called: its name holds a sha256 of all that it is made from. */
const nameOfCopy = () => {
  const sum = createHash('sha256')
  for (const file of [...filesIn('scripts'), ...filesIn('schemas'), 'package.json', installed]) {
    const bytes = fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file)) : ''
    sum.update(`${file} ${bytes.length}\n`).update(bytes)
  }
  return `shotpress-${sum.digest('hex')}.cjs`
}

/** Where npm notes which packages it has installed. */
const installed = 'node_modules/.package-lock.json'

const filesIn = (folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true })
    .filter((name) => /\.(?:ts|cjs|css|json)$/.test(name))
    .sort()
    .map((name) => path.join(folder, name))

module.exports = { root, besideSources, inPackage, findCopy, nameOfCopy }
