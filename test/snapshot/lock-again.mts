// Takes and leaves the lock of a snapshot again and again, without a pause: `lock-again.mts SNAPSHOT ROUNDS`.
import { lock } from '../../scripts/snapshot/folders.ts'

const [out, rounds] = process.argv.slice(2)
for (let round = 0; round < Number(rounds); round++) {
  const unlock = await lock(out!, { onWait: () => {} })
  unlock()
}
