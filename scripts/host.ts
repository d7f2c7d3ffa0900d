import fs from 'node:fs'
import path from 'node:path'
import { prefix } from './api/routes.ts'
import { main, noSuch, shared } from './cli/command.ts'
import { loadSite } from './cli/content.ts'
import { hostFlags, parseHostFlags } from './cli/host-flags.ts'
import { tell, writeResult } from './cli/output.ts'
import { isUsername } from './content/username.ts'
import { type HostFile, noFacts, overHttp } from './hosts/host.ts'
import { hostFacts, hostNames, hosts, listHosts } from './hosts/hosts.ts'
import { UserError } from './problems/diagnostic.ts'

/** The members of a snapshot, sorted; none if there is no snapshot. */
const usernamesIn = (out: string): readonly string[] => {
  const folder = path.join(out, prefix)
  return fs.existsSync(folder) ? fs.readdirSync(folder).filter(isUsername).sort() : []
}

/** A file's text; several of them under their names, as `head` and `tail` print them. */
const print = (files: readonly HostFile[]) =>
  files.length === 1
    ? files[0]!.text
    : files.map(({ path, text }) => `==> ${path} <==\n${text}`).join('\n')

main({
  name: 'npx shotpress host',
  summary: 'print the config for one host, or list the hosts',
  operands: '[NAME]',
  options: { ...shared('content', 'out', 'output'), ...hostFlags },
  notes: [
    'nginx prints a file for its http context, caddy a whole Caddyfile, apache a file for sites-enabled, lighttpd a whole file. Relative paths are made absolute. docs/hosting.md says what to put where.',
  ],
  run: async ({ operands: [name], options }) => {
    const put = (text: string) => writeResult(text, options.output)
    if (name === undefined) {
      put(listHosts())
      tell('npx shotpress host NAME prints its config; docs/hosting.md explains the columns')
      return
    }
    const host = hosts.find((one) => one.name === name)
    const names = hosts.map((one) => one.name)
    if (host === undefined) throw noSuch('host', name, names)
    const { config, files, title } = host
    const site = loadSite(options.content)
    const facts = site ? hostFacts(site) : noFacts
    if (config) {
      const flags = parseHostFlags(options, site && new URL(site.baseUrl).hostname)
      if (flags.origin !== undefined && !host.takesOrigin) {
        const able = hosts.filter(({ takesOrigin }) => takesOrigin).map(({ name }) => name)
        throw new UserError(`the config for ${title} has no use for --origin`, {
          hint: `${able.join(' and ')} can stand in front of a store; docs/hosting.md tells of others`,
        })
      }
      // a store can't choose a copy
      const precompress = flags.origin === undefined ? facts.precompress : []
      put(config({ ...facts, ...flags, precompress }))
      if (files) tell(`with hosts: [${name}] in site.yaml the build adds the rest`)
    } else if (files) {
      put(print(files({ ...facts, usernames: usernamesIn(options.out) })))
    } else {
      throw new UserError(`there is no config for ${title}`, {
        hint: hostNames.find((one) => one.name === name)!.instead!,
      })
    }
    if (!facts.hasHttp) tell(`clients over http get ${overHttp(host)}`)
  },
})
