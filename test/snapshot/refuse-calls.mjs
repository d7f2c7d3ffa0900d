// Loaded into a command and its threads before their own code: the machine refuses every call of some kinds (CALL, joined by +) in one
// thread (THREAD: main or other) to files below FOLDER, and the file MARK says so. If it is the other thread, the main
// one waits for that once it has opened so many there that the other was started, or it could do all of the work. With
// WHEN, it refuses only while that file is there.
import fs from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const { CALL, THREAD, FOLDER, MARK, WHEN } = process.env
const { existsSync, openSync, closeSync } = fs
const ours = new Set()

const isDue = () => WHEN === undefined || existsSync(WHEN)

/** An open file, or a path below the folder. */
const isOurs = (target) => ours.has(target) || String(target).startsWith(FOLDER)

const refuse = () => {
  closeSync(openSync(MARK, 'w'))
  throw Object.assign(new Error(`EACCES: ${CALL}`), { code: 'EACCES', syscall: CALL, errno: -13 })
}

const untilRefused = () => {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let tries = 0; !existsSync(MARK) && tries < 1000; tries++) Atomics.wait(pause, 0, 0, 20)
}

if (isMainThread === (THREAD === 'main')) {
  fs.openSync = (target, ...rest) => {
    if (CALL === 'openSync' && isOurs(target) && isDue()) refuse()
    const file = openSync(target, ...rest)
    if (isOurs(target)) ours.add(file)
    return file
  }
  fs.closeSync = (file) => {
    ours.delete(file)
    closeSync(file)
  }
  for (const call of CALL === 'openSync' ? [] : CALL.split('+')) {
    const real = fs[call]
    fs[call] = (target, ...rest) => (isOurs(target) && isDue() ? refuse() : real(target, ...rest))
  }
} else if (THREAD === 'other') {
  let opened = 0
  for (const call of ['openSync', 'readFileSync']) {
    const real = fs[call]
    fs[call] = (target, ...rest) => {
      if (isOurs(target) && ++opened > 200) untilRefused()
      return real(target, ...rest)
    }
  }
}
