// Starts a command: `node scripts/run.cjs build`. tsx as a CommonJS hook starts in half the time of its ESM loader.
require('node:module').enableCompileCache?.() // Node 22 and newer
require('tsx/cjs')

const [node, , name, ...args] = process.argv
process.argv = [node, require.resolve(`./${name}.ts`), ...args]
require(`./${name}.ts`)
