import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engine.ts'

export const lighttpdEngine: Engine = {
  name: 'lighttpd',
  debian: 'lighttpd lighttpd-mod-openssl',
  binary: '/usr/sbin/lighttpd',
  needs: ['/usr/lib/lighttpd/mod_openssl.so'],
  prepare: async (config, { folder }) => {
    const file = join(folder, 'lighttpd.conf')
    await writeFile(file, config)
    return { args: ['-D', '-f', file], check: ['-tt', '-f', file] }
  },
}
