import net from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createServers } from '../../scripts/preview/servers.ts'
import { resolveFolders } from '../../scripts/snapshot/state/folders.ts'
import { makeSandbox, writeTree } from '../snapshot/sandbox.ts'
import { ask, childrenOf, content, freePorts } from './previewing.ts'

const prepare = async () => {
  const folder = makeSandbox()
  writeTree(folder, content)
  const ports = await freePorts()
  const servers = createServers({
    folders: resolveFolders({ content: `${folder}/content`, out: `${folder}/dist` }),
    ports,
    onDeath: () => {},
  })
  onTestFinished(() => servers.end())
  return { ports, servers }
}

const running = () => childrenOf(process.pid).filter(({ args }) => args.includes('serve-while-connected'))

test('a port that is taken at the last moment is refused, not exchanged for another', async () => {
  const { ports, servers } = await prepare()
  const stranger = net.createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => stranger.listen(ports.http, '127.0.0.1', resolve))
  onTestFinished(() => void stranger.close())
  await expect(servers.serve('')).rejects.toThrow(`port ${ports.http} is in use`)
}, 60_000)

test('servers that are ended while they start are gone, and start no more', async () => {
  const { ports, servers } = await prepare()
  void servers.serve('')
  await servers.end()
  await servers.serve('')
  expect(running()).toEqual([])
  expect(await ask({ scheme: 'http', port: ports.http, path: '/' })).toBeUndefined()
}, 60_000)
