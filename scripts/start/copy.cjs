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

/** The compiled file of a command, or of a thread (`worker`), made of the sources as they are; `undefined` if there is none. */
const findCopy = (name) => {
  const hasSources = fs.existsSync(path.join(root, 'scripts/build.ts'))
  const file = hasSources
    ? path.join(besideSources, nameOfCopy(), `${name}.cjs`)
    : path.join(inPackage, 'shotpress.cjs')
  return fs.existsSync(file) ? file : undefined
}

/** The folder for a copy of the sources as they are: a sha256 of all that it is made from, in hex. */
const nameOfCopy = () => {
  const sum = createHash('sha256')
  for (const file of [...filesIn('scripts'), ...filesIn('schemas'), 'package.json', installed]) {
    const bytes =
      file === installed && !fs.existsSync(`${root}/${file}`) ? '' : fs.readFileSync(`${root}/${file}`)
    sum.update(`${file} ${bytes.length}\n`).update(bytes)
  }
  return sum.digest('hex')
}

/** Where npm notes which packages it has installed. */
const installed = 'node_modules/.package-lock.json'

/** In the order of their names. Node's own recursive listing takes twice as long. */
const filesIn = (folder) =>
  fs
    .readdirSync(`${root}/${folder}`, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = `${folder}/${entry.name}`
      if (entry.isDirectory()) return filesIn(name)
      return /\.(?:ts|cjs|css|json)$/.test(name) ? name : []
    })

module.exports = { root, besideSources, inPackage, findCopy, nameOfCopy }
