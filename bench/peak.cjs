// Loaded in front of a program: writes the most memory that its process held at once, in bytes, when it ends.
// Linux counts what the parent held before the exec into maxRSS; VmHWM begins at zero.
'use strict'
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

const file = process.env.SHOTPRESS_PEAK_FILE
if (file !== undefined && isMainThread) {
  process.on('exit', () => {
    const own = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
    const kibibytes = Number(/^VmHWM:\s*(\d+)/m.exec(own)?.[1] ?? process.resourceUsage().maxRSS)
    writeFileSync(file, String(kibibytes * 1024))
  })
}
