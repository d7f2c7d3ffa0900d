import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { type BuildOptions, type BuildResult, build } from '../../scripts/snapshot/build.ts'

/** A folder of the test's own, removed when the test ends. */
export const makeSandbox = (): string => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A tree as an object: paths and texts. */
export type Tree = Readonly<Record<string, string>>

/** Writes files, making their folders. */
export const writeTree = (folder: string, tree: Tree): void => {
  for (const [file, text] of Object.entries(tree)) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.writeFileSync(path.join(folder, file), text)
  }
}

/** Every file and link below a folder with its text; folders that hold nothing end with a slash. */
export const readTree = (folder: string): Tree => {
  const tree: Record<string, string> = {}
  const visit = (inside: string): void => {
    const entries = fs.readdirSync(path.join(folder, inside), { withFileTypes: true })
    if (entries.length === 0 && inside !== '') tree[`${inside}/`] = ''
    for (const entry of entries) {
      const name = inside === '' ? entry.name : `${inside}/${entry.name}`
      if (entry.isDirectory()) visit(name)
      else if (entry.isSymbolicLink()) tree[name] = `-> ${fs.readlinkSync(path.join(folder, name))}`
      else tree[name] = fs.readFileSync(path.join(folder, name), 'utf8')
    }
  }
  if (fs.existsSync(folder)) visit('')
  return tree
}

/** Runs git in a folder, without the user's settings; what it printed. */
export const git = (folder: string, args: readonly string[], input = ''): string => {
  const settings = {
    'user.name': 'test',
    'user.email': 'test@example.com',
    'init.defaultBranch': 'main',
    'gc.auto': '0',
    'core.quotePath': 'false',
  }
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return execFileSync('git', ['-C', folder, ...given, ...args], {
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** Builds `content` of a folder into `dist` beside it. */
export const buildIn = (folder: string, options: Partial<BuildOptions> = {}): Promise<BuildResult> =>
  build({
    content: path.join(folder, 'content'),
    out: path.join(folder, 'dist'),
    hostNames: [],
    hostFiles: () => [],
    onProgress: () => {},
    onWait: () => {},
    ...options,
  })

/** What a build from nothing makes of the content of a folder. */
export const cleanBuild = async (folder: string): Promise<Tree> => {
  const fresh = path.join(folder, 'fresh')
  fs.rmSync(fresh, { recursive: true, force: true })
  await buildIn(folder, { out: path.join(fresh, 'dist') })
  return readTree(path.join(fresh, 'dist'))
}

export const siteYaml = 'base_url: https://api.example.com\n'

/** A profile.yaml with little in it. */
export const profileYaml = (id: number, name = 'Example'): string => `id: ${id}\nname: ${name}\n`

/** A shot's file with little in it. */
export const shotYaml = (id: number, title = 'Example', day = 1): string =>
  `id: ${id}\ntitle: ${title}\ndate: 2014-03-${String(day).padStart(2, '0')}\nimage: shots/${id}.png\n`

/** A site of two members and three shots. */
export const smallSite: Tree = {
  'content/site.yaml': siteYaml,
  'content/members/ana/profile.yaml': profileYaml(1),
  'content/members/ana/shots/one.yaml': shotYaml(11),
  'content/members/ana/shots/two.yaml': shotYaml(12, 'Other', 2),
  'content/members/bo/profile.yaml': profileYaml(2),
  'content/members/bo/shots/one.yaml': shotYaml(21),
}
