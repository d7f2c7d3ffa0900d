// Takes and leaves the lock of a snapshot again and again, and writes a line to a log at both. One time in KILL it kills
// itself while it holds the lock: `hold-lock.mts SNAPSHOT LOG ROUNDS KILL`.
import fs from 'node:fs'
import { lock } from '../../scripts/snapshot/folders.ts'

const [out, log, rounds, kill] = process.argv.slice(2)
for (let round = 0; round < Number(rounds); round++) {
  const unlock = await lock(out!, { onWait: () => {} })
  fs.appendFileSync(log!, `${process.pid} holds\n`)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 4))
  if (Math.random() * Number(kill) < 1) process.kill(process.pid, 'SIGKILL')
  fs.appendFileSync(log!, `${process.pid} leaves\n`)
  unlock()
}
