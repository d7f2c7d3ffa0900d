import { describe } from 'vitest'
import { apache } from '../../../scripts/hosts/servers/apache.ts'
import { apacheEngine } from './apache.ts'
import { believesListedPeers, holdsTheContract } from './contract.ts'
import { installed, titleOf } from './engine.ts'

describe.skipIf(!installed(apacheEngine))(titleOf(apacheEngine), () => {
  holdsTheContract(apache, apacheEngine)
  believesListedPeers(apache, apacheEngine)
})
