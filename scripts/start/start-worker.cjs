// A thread starts without the loader of the thread that made it: it gets tsx first, then the
// TypeScript.
require('tsx/cjs')
require('./worker.ts')
