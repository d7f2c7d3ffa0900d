import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import { onTestFinished, vi } from 'vitest'
import { inCi } from './posix.ts'
import { readText, sandbox } from './sandbox.ts'

/** Debian's browser, or the one that GitHub's runners bring. */
const executable =
  ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((file) => fs.existsSync(file)) ??
  '/usr/bin/firefox-esr'

/** Where it is missing its tests are skipped, and say so; in CI it has to be there. */
export const hasFirefox = inCi || fs.existsSync(executable)

const preferences = {
  'marionette.port': 0,
  // nothing that it asks for leaves this machine
  'network.proxy.type': 1,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
}

/** A Firefox as somebody new has it, until the test ends. */
export const openFirefox = async () => {
  const lines = Object.entries(preferences).map(
    (pair) => `user_pref(${JSON.stringify(pair).slice(1, -1)});`,
  )
  const profile = sandbox({ 'user.js': lines.join('\n') })
  const firefox = spawn(
    executable,
    ['--headless', '--marionette', '--no-remote', '--profile', profile],
    {
      env: { ...process.env, HOME: profile },
      stdio: 'ignore',
    },
  )
  const closed = once(firefox, 'close')
  onTestFinished(async () => {
    firefox.kill()
    await closed
  })
  const read = () => Number(readText(`${profile}/MarionetteActivePort`) || Number.NaN)
  const socket = net.connect(
    await vi.waitFor(read, { timeout: 60_000, interval: 100 }),
    '127.0.0.1',
  )
  onTestFinished(() => void socket.destroy())

  const run = await speakWith(socket)
  /** What a command is about: the first element of that selector. */
  const find = async (value: string) => {
    const found = await run('FindElement', { using: 'css selector', value })
    return { id: Object.values(found as object)[0] }
  }
  return {
    open: (url: string) => run('Navigate', { url }),
    reload: () => run('Refresh'),
    /** What a script returns. */
    script: (script: string) => run('ExecuteScript', { script, args: [] }),
    click: async (selector: string) => run('ElementClick', await find(selector)),
    type: async (selector: string, text: string) =>
      run('ElementSendKeys', { ...(await find(selector)), text }),
  }
}

/** Opens a session at a socket; runs a command of WebDriver, and says its value. */
const speakWith = async (socket: net.Socket) => {
  /** Messages are JSON behind their length: `13:[1,1,null,{}]`. */
  let text = Buffer.alloc(0)
  const message = async () => {
    for (;;) {
      const [, length] = /^(\d+):/.exec(text.toString('latin1', 0, 20)) ?? []
      const start = length === undefined ? 0 : length.length + 1
      if (start > 0 && text.length >= start + Number(length)) {
        const json = text.toString('utf8', start, start + Number(length))
        text = text.subarray(start + Number(length))
        return JSON.parse(json)
      }
      text = Buffer.concat([text, ...((await once(socket, 'data')) as Buffer[])])
    }
  }
  await message()
  const run = async (command: string, options: object = {}) => {
    const json = JSON.stringify([0, 1, `WebDriver:${command}`, options])
    socket.write(`${Buffer.byteLength(json)}:${json}`)
    const [, , error, answer] = (await message()) as [1, 1, unknown, { value: unknown }]
    if (error !== null) throw new Error(`${command}: ${JSON.stringify(error)}`)
    return answer.value
  }
  await run('NewSession', {})
  return run
}

export const inFirefox = hasFirefox
  ? 'in Firefox'
  : 'in Firefox (skipped: apt-get install firefox-esr)'
