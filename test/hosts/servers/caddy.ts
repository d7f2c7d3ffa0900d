import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engine.ts'

export const caddyEngine: Engine = {
  name: 'caddy',
  debian: 'caddy',
  binary: '/usr/bin/caddy',
  prepare: async (config, { folder }) => {
    const file = join(folder, 'Caddyfile')
    await writeFile(file, config)
    const args = ['--config', file, '--adapter', 'caddyfile']
    return {
      args: ['run', ...args],
      check: ['validate', ...args],
      env: { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    }
  },
}
