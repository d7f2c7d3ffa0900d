import { hash } from 'node:crypto'
import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { commitAll, git } from '../git.ts'
import { chunk, png } from '../pictures/bytes.ts'
import { isPosix, onPosix } from '../posix.ts'
import { expectRefusal, runIn } from '../processes.ts'
import {
  isThere,
  makeFolder,
  readTree,
  removeFrom,
  renameIn,
  sandbox,
  type Tree,
  writeTree,
} from '../sandbox.ts'
import { site } from '../site.ts'
import { rowsOf, texts } from '../tables.ts'

/**
 * A repository whose one commit is the small site, or another, with `more` on top in the work
 * tree.
 */
const repository = (more: Tree = {}, tree: Tree = site) => {
  const folder = sandbox(tree)
  commitAll(folder)
  writeTree(folder, more)
  return folder
}

const changed = { 'content/members/bo/profile.yaml': 'id: 2\nname: Bo Changed\n' }

const reported = (folder: string, base = 'HEAD') => {
  const { status, stdout, stderr } = runIn(folder, `report --format json --base ${base}`)
  return { status, stderr, report: stdout === '' ? undefined : JSON.parse(stdout) }
}

const nothing = { added: [], removed: [], renamed: [], changed: [] }

describe('shotpress report', () => {
  test('says what the API will serve that it does not serve at a revision', () => {
    const { status, report } = reported(repository(changed))
    expect(status).toBe(0)
    expect(report).toEqual({
      base: 'HEAD',
      head: 'content',
      members: {
        ...nothing,
        changed: [
          {
            username: 'bo',
            profile: { name: { before: 'Bo Example', after: 'Bo Changed' } },
            shots: { entered: [], left: [], moved: [], changed: [] },
          },
        ],
      },
      addresses: { added: [], removed: [] },
      warnings: [],
    })
  })

  test('says which pictures are others, of a revision and of a folder', () => {
    const shot = 'id: 900\ntitle: Tea\ndate: 2014-03-02\nimage: ./tea.png\n'
    const pictured = {
      'content/members/bo/shots/tea.yaml': shot,
      'content/members/bo/shots/tea.png': png(),
      'content/members/bo/avatar.png': png(),
      'content/members/bo/profile.yaml': 'id: 2\nname: Bo Example\navatar: ./avatar.png\n',
    }
    const folder = repository({}, { ...site, ...pictured })
    git(folder, 'worktree add -q base HEAD')
    for (const base of ['HEAD', './base/content'])
      expect(reported(folder, base).report.members).toEqual(nothing)
    // the same is published of it
    writeTree(folder, { 'content/members/bo/avatar.png': png(chunk('tEXt', 'Comment\0tea')) })
    const newer = png(chunk('gAMA', 'abcd'))
    writeTree(folder, { 'content/members/bo/shots/tea.png': newer })
    const [before, after] = [png(), newer].map((bytes) => {
      const name = hash('sha256', bytes).slice(0, 32)
      return `https://api.example.com/pictures/${name}.png`
    })
    for (const base of ['HEAD', './base/content']) {
      const { status, report } = reported(folder, base)
      expect(status).toBe(0)
      expect(report.members.changed).toMatchObject([
        {
          username: 'bo',
          profile: {},
          shots: { changed: [{ fields: { image: { before, after } } }] },
        },
      ])
    }
  })

  test('changes nothing, and leaves nothing behind', () => {
    const folder = repository(changed)
    const before = readTree(folder)
    const TMPDIR = sandbox()
    const env = { TMPDIR, TEMP: TMPDIR, TMP: TMPDIR }
    expect(runIn(folder, 'report --base HEAD', { env }).status).toBe(0)
    expect([readTree(folder), fs.readdirSync(TMPDIR)]).toEqual([before, []])
  })

  test('takes the bytes of the repository as they are, whatever filters the work tree has', () => {
    const folder = repository()
    writeTree(folder, { '.gitattributes': '* text eol=crlf filter=upper\n' })
    git(folder, "config filter.upper.smudge 'tr a-z A-Z'")
    git(folder, "config filter.upper.clean 'tr a-z A-Z'")
    expect(reported(folder).report.members).toEqual(nothing)
  })

  test('an alias is an address, and a rename that keeps one loses none', () => {
    const folder = repository()
    renameIn(folder, 'content/members/bo', 'content/members/bob')
    writeTree(folder, {
      'content/members/bob/profile.yaml': 'id: 2\nname: Bo Example\naliases: [bo]\n',
    })
    const { report } = reported(folder)
    expect(report.members.renamed).toEqual([{ from: 'bo', to: 'bob' }])
    expect(report.addresses).toEqual({ added: ['/api/username/bob'], removed: [] })
    expect(report.warnings).toEqual([])
    // the name is told once
    const { stdout } = runIn(folder, 'report --base HEAD')
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 member renamed')
  })

  test('with errors in the content compares valid members, and exits with 1', () => {
    const folder = repository({ ...changed, 'content/members/ana/profile.yaml': 'id: 1\n' })
    const { status, stderr, report } = reported(folder)
    expect(status).toBe(1)
    expect(stderr).toContain('content/members/ana/profile.yaml:1')
    expect(
      report.members.changed.map(({ username }: { username: string }) => username),
    ).toEqual(['bo'])
    expect(report.members.removed).toEqual([])
    const { stdout } = runIn(folder, 'report --base HEAD')
    expect(stdout).toContain('content/members/ana/profile.yaml:1')
  })

  describe('who changes a folder for the first time', () => {
    const commit = (folder: string, author: string, file: string, text: string) => {
      writeTree(folder, { [file]: text })
      commitAll(folder, `--author '${author}'`)
    }
    const profile = (name: string) => `content/members/${name}/profile.yaml`
    const warningsSince = (folder: string, base: string) =>
      reported(folder, base).report.warnings.map(
        ({ code, file, message }: Record<string, string>) => `${code} ${file} ${message}`,
      )

    test('is told once of each author, by name', () => {
      const folder = repository()
      const zoe = '@zoe \u202e`x` <zoe@example.com>'
      commit(folder, zoe, profile('bo'), 'id: 2\nname: Zoe\n')
      commit(folder, zoe, profile('ana'), 'id: 1\nname: Zoe\n')
      expect(warningsSince(folder, 'HEAD~2')).toEqual([
        'new-author content/members/ana "@zoe \\u{202e}`x`" changes for the first time: "ana", "bo"',
      ])
    })

    test('is not told of the same person with another address, nor of new folders', () => {
      const folder = repository()
      commit(folder, 'test <other@example.com>', profile('bo'), 'id: 2\nname: Other\n')
      commit(folder, 'Somebody <TEST@example.com>', profile('bo'), 'id: 2\nname: Bo\n')
      commit(folder, 'Cy <cy@example.com>', profile('cy'), 'id: 3\nname: Cy\n')
      commit(folder, 'Cy <cy@example.com>', profile('cy'), 'id: 3\nname: Cy Two\n')
      expect(warningsSince(folder, 'HEAD~4')).toEqual([])
    })

    test('is not told where the history is cut off', () => {
      const folder = repository()
      commit(folder, 'Bo <bo@example.com>', profile('bo'), 'id: 2\nname: Bo\n')
      commit(folder, 'Zoe <zoe@example.com>', profile('bo'), 'id: 2\nname: Zoe\n')
      git(folder, `clone -q --depth 2 'file://${folder}' shallow`)
      expect(warningsSince(`${folder}/shallow`, 'HEAD^')).toEqual([])
    })
  })

  test('errors of the base are warnings', () => {
    const folder = repository({ 'content/members/ana/profile.yaml': 'id: 1\n' })
    commitAll(folder)
    writeTree(folder, { 'content/members/ana/profile.yaml': 'id: 1\nname: Ana Example\n' })
    const { status, report } = reported(folder)
    expect(status).toBe(0)
    expect(report.warnings).toMatchObject([
      {
        severity: 'warning',
        code: 'missing-key',
        file: 'HEAD:content/members/ana/profile.yaml',
        line: 1,
      },
    ])
  })

  test.runIf(isPosix)(onPosix('a link in the base is not followed'), () => {
    const folder = repository()
    writeTree(folder, { secret: 'id: 9\nname: Secret\n' })
    makeFolder(folder, 'content/members/eve')
    fs.symlinkSync('../../../secret', `${folder}/content/members/eve/profile.yaml`)
    commitAll(folder)
    removeFrom(folder, 'content/members/eve')
    const { status, report } = reported(folder)
    expect(status).toBe(0)
    expect(report.members).toEqual(nothing)
  })

  test.each(
    rowsOf(`
      --base nope → no revision "nope" → fetch-depth: 0
      --base -x → does not begin with a dash → main
      --base . → "." is not the content folder → --base "content"
      --base origin/main → there is no folder "origin/main" → ∅
      ∅ → there is nothing to compare → --base
      --from nope → no report in "nope" → --format json
      --from content/site.yaml → is not a report → --format json
      --base HEAD --limit x → --limit takes → 999999999
    `),
  )('refuses %j with status 2', (flags, message, hint) => {
    const refused = runIn(repository(), `report ${flags}`)
    expectRefusal(refused, message)
    expect(refused.stderr).toContain(hint)
  })

  test('a report as data becomes words again, with nothing of the content at hand', () => {
    const folder = repository({
      'content/members/bo/profile.yaml': 'id: 2\nname: "`</code> @x"\n',
    })
    const { stdout } = runIn(folder, 'report --base HEAD --format json')
    const elsewhere = sandbox({ 'report.json': stdout })
    const read = runIn(elsewhere, 'report --from report.json --format markdown')
    expect(read).toMatchObject({ status: 0, stderr: '' })
    expect(read.stdout).toContain('name: ` Bo Example ` → `` `</code> @x ``')
  })

  test('believes no repository that the content brings along, and runs nothing that one names', () => {
    const folder = repository(changed)
    const honest = reported(folder).report
    const content = `${folder}/content`
    git(folder, `clone -q --bare . planted`)
    const moveParts = (from: string, to: string) => {
      for (const name of texts('HEAD¦config¦objects¦refs¦packed-refs'))
        fs.renameSync(`${from}/${name}`, `${to}/${name}`)
    }
    moveParts(`${folder}/planted`, content)
    expect(reported(folder).report).toEqual(honest)
    expect(runIn(folder, 'check').stderr).toContain('[git-repository]')
    // objects that are missing are fetched by the program that the config names
    removeFrom(content, 'objects')
    makeFolder(content, 'objects')
    writeTree(folder, {
      'content/config': `[core]
  repositoryformatversion = 1
  bare = true
[extensions]
  partialclone = origin
[protocol "file"]
  allow = always
[remote "origin"]
  url = ${folder}
  promisor = true
  uploadpack = "touch ${folder}/ran; false"
`,
    })
    expect(reported(folder).report).toEqual(honest)
    expect(isThere(folder, 'ran')).toBe(false)
    // nor where it is the user's own repository
    renameIn(folder, '.git', 'old')
    makeFolder(folder, '.git')
    moveParts(content, `${folder}/.git`)
    expect(reported(folder).status).toBe(2)
    expect(isThere(folder, 'ran')).toBe(false)
  })

  test('of a clone that lacks an object says how to get all', () => {
    const folder = repository(changed)
    const oid = git(folder, 'rev-parse HEAD:content/members/bo/profile.yaml')
    removeFrom(folder, `.git/objects/${oid.slice(0, 2)}/${oid.slice(2).trim()}`)
    const { status, stderr } = reported(folder)
    expect([status, stderr]).toEqual([2, expect.stringContaining('--refetch --no-filter')])
  })

  test('outside of a repository says so', () => {
    const { status, stderr } = runIn(sandbox(site), 'report --base HEAD')
    expect(status).toBe(2)
    expect(stderr).toContain('no git repository')
  })
})
