// Loaded into a build before its own code: kills the process, as by SIGKILL, at the call
// KILL_AT that changes the disk, after half of it is done where a call can be half done. A
// build that lives prints on stderr how many there were.
import fs from 'node:fs'

const killAt = Number(process.env.KILL_AT)
let calls = 0
for (const name of [
  'openSync',
  'writeFileSync',
  'futimesSync',
  'mkdirSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
]) {
  const real = fs[name]
  fs[name] = (...args) => {
    const reads = name === 'openSync' && (args[1] & fs.constants.O_CREAT) === 0
    if (!reads && calls++ === killAt) {
      if (name === 'writeFileSync') real(args[0], args[1].slice(0, args[1].length / 2))
      process.kill(process.pid, 'SIGKILL')
    }
    return real(...args)
  }
}
process.on('exit', () => fs.writeSync(2, String(calls)))
