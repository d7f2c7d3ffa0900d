import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engine.ts'

export const haproxyEngine: Engine = {
  name: 'haproxy',
  debian: 'haproxy',
  binary: '/usr/sbin/haproxy',
  prepare: async (config, { folder }) => {
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, config)
    return { args: ['-db', '-f', file], check: ['-c', '-f', file] }
  },
}

export const varnishEngine: Engine = {
  name: 'varnish',
  debian: 'varnish',
  binary: '/usr/sbin/varnishd',
  prepare: async (config, { folder, ports: [port] }) => {
    const file = join(folder, 'default.vcl')
    await writeFile(file, config)
    const args = ['-j', 'none', '-n', join(folder, 'varnish'), '-f', file]
    return {
      args: [...args, '-F', '-a', `127.0.0.1:${port}`, '-s', 'malloc,16m'],
      check: [...args, '-C'],
    }
  },
}

/** The snippet of docs/hosting/servers.md in that language, with other addresses and files. */
export const documentedConfig = (language: string, changes: Readonly<Record<string, string>>): string => {
  const docs = readFileSync('docs/hosting/servers.md', 'utf8')
  let text = docs.split(`\`\`\`${language}\n`)[1]!.split('```')[0]!
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`the snippet has no ${from}`)
    text = text.replace(from, to)
  }
  return text
}
