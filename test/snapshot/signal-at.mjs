// Loaded before a build: tells it to end (SIGNAL) right before its rename of that number (AT,
// counted from 0).
import fs from 'node:fs'

const { renameSync } = fs
let calls = 0
fs.renameSync = (...args) => {
  if (calls++ === Number(process.env.AT)) process.kill(process.pid, process.env.SIGNAL)
  return renameSync(...args)
}
