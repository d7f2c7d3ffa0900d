// Where the compiled copy of the program is, and whether it is what the sources say. See docs/architecture.md.
'use strict'
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')

const root = path.resolve(__dirname, '../..')

/** Beside the sources: where a pull request can't leave anything, as `npm ci` empties it first. */
const besideSources = path.join(root, 'node_modules/.shotpress')

/** In a package, which has no sources. */
const inPackage = path.join(root, 'compiled')

/** The compiled copy of a command; `undefined` if there is none, or if a source of it has changed since. */
const findCopy = (name) => {
  if (!hasSources()) return path.join(inPackage, `${name}.cjs`)
  const file = path.join(besideSources, `${name}.cjs`)
  const made = readHeader(file)
  return made?.digest && digestOf(made.files) === made.digest ? file : undefined
}

const hasSources = () => fs.existsSync(path.join(root, 'scripts/build.ts'))

/** The names of all commands, sorted. */
const commands = () => {
  const [folder, ending] = hasSources() ? [path.join(root, 'scripts'), '.ts'] : [inPackage, '.cjs']
  const names = fs.readdirSync(folder).filter((name) => name.endsWith(ending) && !name.startsWith('worker-'))
  return names.map((name) => name.slice(0, -ending.length)).sort()
}

/** The first line of a compiled file: what it was made from. */
const writeHeader = ({ digest, files }) => `// ${JSON.stringify({ digest, files })}\n`

const readHeader = (file) => {
  try {
    const text = fs.readFileSync(file, 'latin1')
    return JSON.parse(text.slice(2, text.indexOf('\n')))
  } catch {
    return undefined
  }
}

/** sha256 of files, named by their paths below the root; empty if one of them is missing. */
const digestOf = (files) => {
  const sum = createHash('sha256')
  try {
    for (const file of files) {
      const bytes = fs.readFileSync(path.join(root, file))
      sum.update(`${file} ${bytes.length}\n`).update(bytes)
    }
  } catch {
    return ''
  }
  return sum.digest('hex')
}

module.exports = { root, besideSources, inPackage, findCopy, commands, writeHeader, digestOf }
