// Runs a command: its compiled copy where that is what the sources say, else the sources by tsx.
'use strict'
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')

const root = path.resolve(__dirname, '../..')

const start = ([name, ...args]) => {
  if (name === '--version') return print(require('../../package.json').version)
  if (name === 'help' && args.length > 0) return start([args[0], '--help'])
  if ([undefined, 'help', '--help', '-h'].includes(name)) return print(usage)
  if (!commands.includes(name))
    return fail(
      `there is no command "${printable(name)}"`,
      'npx shotpress help lists the commands',
    )
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

const usage = `npx shotpress COMMAND [options]

Content
  new       write the file of a new member or shot
  check     say what is wrong, and fix it with --fix
  preview   show the site while you edit it
  tidy      put the keys of files in order
  rename    give a member another username
  remove    take a member out
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

npx shotpress help COMMAND explains a command.
npx shotpress --version tells the version.`

/** The first word of each line that is indented. */
const commands = Array.from(usage.matchAll(/^ {2}(\w+)/gm), ([, name]) => name)

const print = (text) => {
  process.stdout.on('error', ({ code }) => {
    if (code !== 'EPIPE') fail(`the output can't be written (${code})`, 'make room for it')
  })
  console.log(text)
}

const fail = (message, hint) => {
  console.error(`error: ${message}\n  hint: ${hint}`)
  process.exitCode = 2
}

const printable = (text) => text.replace(/[^\x20-\x7e]/g, '?')

/** Beside the sources: where a pull request can't leave anything, as `npm ci` empties it first. */
const besideSources = path.join(root, 'node_modules/.shotpress')

/** In a package, which has no sources. */
const inPackage = path.join(root, 'compiled')

/**
 * The compiled file of a command, or of a thread (`worker`), made of the sources as they are;
 * `undefined` if there is none.
 */
const findCopy = (name) => {
  const hasSources = fs.existsSync(path.join(root, 'scripts/build.ts'))
  const file = hasSources
    ? path.join(besideSources, nameOfCopy(), `${name}.cjs`)
    : path.join(inPackage, 'shotpress.cjs')
  return fs.existsSync(file) ? file : undefined
}

/**
 * The folder for a copy of the sources as they are: a sha256 of all that it is made from, in
 * hex.
 */
const nameOfCopy = () => {
  const sum = createHash('sha256')
  for (const file of [
    ...filesIn('scripts'),
    ...filesIn('schemas'),
    'package.json',
    installed,
  ]) {
    const bytes =
      file === installed && !fs.existsSync(`${root}/${file}`)
        ? ''
        : fs.readFileSync(`${root}/${file}`)
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

module.exports = { start, root, besideSources, findCopy, nameOfCopy }
