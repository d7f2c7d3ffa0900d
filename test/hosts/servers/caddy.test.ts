import { describe } from 'vitest'
import { caddy } from '../../../scripts/hosts/servers/caddy.ts'
import { caddyEngine } from './caddy.ts'
import { believesListedPeers, holdsTheContract } from './contract.ts'
import { installed, titleOf } from './engine.ts'

describe.skipIf(!installed(caddyEngine))(titleOf(caddyEngine), () => {
  holdsTheContract(caddy, caddyEngine)
  believesListedPeers(caddy, caddyEngine)
})
