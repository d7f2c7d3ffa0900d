// Runs a command: its compiled copy where that is what the sources say, else the sources by tsx.
'use strict'
const path = require('node:path')
const { root, findCopy, commands } = require('./copy.cjs')

exports.start = ([name, ...args]) => {
  if (name === '--version') return console.log(require('../../package.json').version)
  if (name === undefined || name === '--help' || name === '-h') return console.log(usage())
  if (!commands().includes(name))
    return fail(`there is no command "${printable(name)}"`, 'shotpress --help lists the commands')
  const copy = findCopy(name)
  if (copy === undefined && !hasPackages())
    return fail('the packages that Shotpress needs are not installed', 'run npm ci')
  const file = copy ?? path.join(root, 'scripts', `${name}.ts`)
  // tsx as a CommonJS hook starts in half the time of its ESM loader
  if (copy === undefined) require('tsx/cjs')
  process.argv = [process.argv[0], file, ...args]
  require(file)
}

const usage = () => `shotpress COMMAND [options]

  ${commands().join('\n  ')}

shotpress COMMAND --help explains a command, shotpress --version tells the version.`

const hasPackages = () => {
  try {
    return require.resolve('tsx/cjs') !== ''
  } catch {
    return false
  }
}

const fail = (message, hint) => {
  console.error(`error: ${message}\n  hint: ${hint}`)
  process.exitCode = 2
}

const printable = (text) => text.replace(/[^\x20-\x7e]/g, '?')
