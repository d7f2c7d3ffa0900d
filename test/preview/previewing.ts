import { expect } from 'vitest'
import type { Variant } from '../../scripts/api/routes.ts'
import type { Ports } from '../../scripts/preview/servers.ts'
import { ask } from '../hosts/ask.ts'
import { freePorts } from '../ports.ts'
import { startIn, until } from '../processes.ts'
import { sandbox, type Tree, writeTree } from '../sandbox.ts'

export const shot = (username: string, file = 'one') =>
  `content/members/${username}/shots/${file}.yaml`
export const profile = (username: string) => `content/members/${username}/profile.yaml`

/** A question is answered with this status. */
export const expectStatus = async (
  status: number,
  answer: Promise<{ readonly status: number }>,
) => expect((await answer).status).toBe(status)

/** Where a file is edited. */
export const formAt = (file: string) => `/-/edit?file=${encodeURIComponent(file)}`

export const content: Tree = {
  'content/site.yaml': 'base_url: https://api.example.com\n',
  [profile('ana')]: 'id: 1\nname: Ana\n',
  [shot('ana')]: 'id: 11\ntitle: First\ndate: 2024-01-01\nimage: one.png\n',
  [profile('b.c')]: 'id: 2\nname: Dotted\n',
}

/** A free port for each scheme. */
export const schemePorts = async () => {
  const [http, https] = await freePorts()
  return { http, https }
}

/**
 * Runs the preview as a process over a tree in a folder of its own, on free ports; stopped
 * when the test ends.
 */
export const startPreview = async (tree: Tree, given?: Ports) => {
  const folder = sandbox(tree)
  const ports = given ?? (await schemePorts())
  const line = `preview --http ${ports.http} --https ${ports.https}`
  const { child, said, ended } = startIn(folder, line)
  /** The answer to a GET, whatever the certificate; `undefined` if nobody is there. */
  const get = async (scheme: Variant, path: string) => {
    try {
      const port = ports[scheme]
      const { status, body } = await ask({ scheme, port, path, host: `localhost:${port}` })
      return { status, body: `${body}` }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return undefined
      throw error
    }
  }
  return {
    folder,
    ports,
    said,
    ended: ended.then(({ status }) => status),
    get,
    write: (files: Tree) => writeTree(folder, files),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Settled when the preview has said something. */
    saying: (text: string, stream: 'stdout' | 'stderr' = 'stdout') =>
      until(
        () => said[stream],
        (all) => all.includes(text),
      ),
  }
}

/** The same, settled when both schemes are up. */
export const startedPreview = async (tree: Tree = content) => {
  const preview = await startPreview(tree)
  await preview.saying('Ctrl-C')
  return preview
}
