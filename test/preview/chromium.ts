import { existsSync } from 'node:fs'

/** Debian's browser, or the one that GitHub's runners bring. */
export const executablePath =
  ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync) ?? '/usr/bin/chromium'

/** It runs without a screen, and asks for nothing on its own. */
export const args: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
