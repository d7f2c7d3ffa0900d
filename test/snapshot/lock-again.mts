// Works below the lock of a snapshot, without a pause: `lock-again.mts SNAPSHOT ROUNDS`.
import { besideOf, lock, makeIgnored } from '../../scripts/snapshot/folders.ts'

const [out = '', rounds] = process.argv.slice(2)
for (let round = 0; round < Number(rounds); round++) {
  const unlock = await lock(out, { onWait: () => {} })
  makeIgnored(besideOf(out))
  unlock()
}
