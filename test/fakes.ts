import fs from 'node:fs'
import { readText, sandbox, type Texts } from './sandbox.ts'

/**
 * Programs that reach an account or a network: each notes how it was called, then does what
 * its lines say.
 */
export const fakes = (programs: Texts) => {
  const bin = sandbox()
  const log = `${bin}/calls.txt`
  for (const [name, lines] of Object.entries(programs)) {
    const script = `#!/usr/bin/env bash\necho "${name} $*" >> "${log}"\n${lines}\n`
    fs.writeFileSync(`${bin}/${name}`, script, { mode: 0o755 })
  }
  return { bin, calls: () => (fs.existsSync(log) ? readText(log) : '') }
}
