// Compiles each command into one file, which node runs without tsx. npm does this after npm
// ci ("prepare").
'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { besideSources, nameOfCopy } = require('./start.cjs')

const compile = async () => {
  const { bundleCommands, findPackages, verbs, worker } = require('./bundle.cjs')
  const { outputFiles } = await bundleCommands({
    entryPoints: [...verbs, worker],
    external: findPackages(),
    toRoot: '../../..',
    thread: "besideCopy('worker.cjs')",
  })
  const folder = path.join(besideSources, nameOfCopy())
  fs.mkdirSync(folder, { recursive: true })
  for (const file of outputFiles)
    write(path.join(folder, `${path.basename(file.path, '.js')}.cjs`), file.text)
  for (const name of fs.readdirSync(besideSources))
    if (name !== nameOfCopy())
      fs.rmSync(path.join(besideSources, name), { recursive: true, force: true })
}

/** Puts a file in its place whole, as another process may be at it too. */
const write = (file, text) => {
  fs.writeFileSync(`${file}.${process.pid}`, text)
  fs.renameSync(`${file}.${process.pid}`, file)
}

compile().catch((error) => {
  console.error(
    `shotpress was not compiled, so its commands run from their sources and start slower: ${error.message}`,
  )
})
