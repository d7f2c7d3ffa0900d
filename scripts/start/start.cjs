// Runs a command: its compiled copy where that is what the sources say, else the sources by tsx.
'use strict'
const path = require('node:path')
const { root, findCopy } = require('./copy.cjs')

exports.start = ([name, ...args]) => {
  if (name === '--version') return console.log(require('../../package.json').version)
  if (name === undefined || name === '--help' || name === '-h') return console.log(usage)
  if (!commands.includes(name)) return fail(`there is no command "${printable(name)}"`, adviceOn(name))
  const copy = findCopy(name)
  const file = path.join(root, 'scripts', `${name}.ts`)
  process.argv = [process.argv[0], file, ...args]
  // in a package, one file has all commands, each as a function
  if (copy !== undefined) return require(copy)[name]?.()
  try {
    // as a CommonJS hook it starts in half the time of its ESM loader
    require('tsx/cjs')
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    return fail('the packages that Shotpress needs are not installed', 'run npm ci')
  }
  require(file)
}

const usage = `shotpress COMMAND [options]

Content
  new       write the file of a new member or shot
  check     say what is wrong, and fix it with --fix
  preview   show the site while you edit it
  tidy      put the keys of files in order
  rename    give a member another username
  renumber  give a shot or a member a free id
  report    say what a merge will change

Publishing
  build     write the snapshot
  gallery   write pages that show members and works
  host      print the config for a host
  deploy    upload what changed
  verify    check a running host from outside
  merge     make one snapshot of shards

A new site
  init      write a site of your own
  import    take members over from a running API

shotpress COMMAND --help explains a command, shotpress --version tells the version.`

/** The first word of each line that is indented. */
const commands = Array.from(usage.matchAll(/^ {2}(\w+)/gm), ([, name]) => name)

const adviceOn = (typed) => {
  const near = commands.filter((name) => withOneLess(name).some((one) => withOneLess(typed).includes(one)))
  return near.length === 1 ? `did you mean ${near[0]}?` : 'shotpress --help lists the commands'
}

/** A word, and the same without one of its letters: two words that share one differ by one slip of a finger. */
const withOneLess = (word) => {
  const letters = Array.from(word.slice(0, 20))
  return [word, ...letters.map((_, at) => word.slice(0, at) + word.slice(at + 1))]
}

const fail = (message, hint) => {
  console.error(`error: ${message}\n  hint: ${hint}`)
  process.exitCode = 2
}

const printable = (text) => text.replace(/[^\x20-\x7e]/g, '?')
