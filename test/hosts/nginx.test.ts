import { describe } from 'vitest'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { believesListedPeers, holdsTheContract } from './servers/contract.ts'
import { installed, titleOf } from './servers/engine.ts'
import { nginxEngine } from './servers/nginx.ts'

describe.skipIf(!installed(nginxEngine))(titleOf(nginxEngine), () => {
  holdsTheContract(nginx, nginxEngine)
  // before 1.23 nginx sees the first line only, as its host entry says
  believesListedPeers(nginx, nginxEngine, 'https')
})
