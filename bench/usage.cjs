// Loaded in front of a program: writes what its process took when it ends. Linux counts what
// the parent held before the exec into maxRSS; VmHWM begins at zero.
'use strict'
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

const file = process.env.SHOTPRESS_USAGE_FILE
if (file !== undefined && isMainThread) {
  process.on('exit', () => {
    const own = existsSync('/proc/self/status')
      ? readFileSync('/proc/self/status', 'utf8')
      : ''
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    const memory = Number(/^VmHWM:\s*(\d+)/m.exec(own)?.[1] ?? maxRSS) / 1024
    writeFileSync(file, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, memory }))
  })
}
