import { describe } from 'vitest'
import { apache } from '../../scripts/hosts/apache.ts'
import { apacheEngine } from './servers/apache.ts'
import { believesListedPeers, holdsTheContract } from './servers/contract.ts'
import { installed, titleOf } from './servers/engine.ts'

describe.skipIf(!installed(apacheEngine))(titleOf(apacheEngine), () => {
  holdsTheContract(apache, apacheEngine)
  believesListedPeers(apache, apacheEngine)
})
