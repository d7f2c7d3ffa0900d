import { describe } from 'vitest'
import { caddy } from '../../scripts/hosts/caddy.ts'
import { caddyEngine } from './servers/caddy.ts'
import { believesListedPeers, holdsTheContract } from './servers/contract.ts'
import { installed, titleOf } from './servers/engine.ts'

describe.skipIf(!installed(caddyEngine))(titleOf(caddyEngine), () => {
  holdsTheContract(caddy, caddyEngine)
  believesListedPeers(caddy, caddyEngine)
})
