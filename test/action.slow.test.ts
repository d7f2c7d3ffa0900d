import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { fakes } from './fakes.ts'
import { commitAll, git } from './git.ts'
import { inCi, isPosix, onPosix } from './posix.ts'
import { runIn } from './processes.ts'
import { appendTo, isThere, readJson, readText, sandbox, writeTree } from './sandbox.ts'
import { siteWith, siteYaml } from './site.ts'
import { checkout } from './start/checkout.ts'
import { rowsOf, texts } from './tables.ts'

type Task = { readonly site: string; readonly bin?: string; readonly program?: string }

/** Runs a task of the action in a site, as the step of action.yml does. */
const act = (
  task: string,
  { site, bin = '', program = process.cwd() }: Task,
  env: Record<string, string> = {},
) => {
  const temporary = sandbox()
  const { status, stdout, stderr } = spawnSync('bash', [`${program}/action.sh`, task], {
    cwd: site,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      CONTENT: 'content',
      RUNNER_TEMP: temporary,
      GITHUB_REPOSITORY: 'ana/site',
      GITHUB_REF_NAME: 'main',
      GITHUB_STEP_SUMMARY: `${temporary}/summary.md`,
      ...env,
    },
  })
  const read = (name: string) => {
    const file = `${temporary}/${name}`
    return fs.existsSync(file) ? readText(file) : ''
  }
  return { status, said: stdout + stderr, read }
}

/** A repository with content only. */
const contentOnly = () => sandbox(siteWith(1))

/** The same, committed. */
const committed = () => {
  const site = contentOnly()
  commitAll(site)
  return site
}

const checker = '/usr/bin/shellcheck'

test.runIf(inCi || fs.existsSync(checker))('shellcheck finds nothing in our scripts', () => {
  const scripts = [
    'action.sh',
    ...texts('prepare¦run¦weekly¦windows').map((name) => `.ci/${name}`),
  ]
  expect(spawnSync('shellcheck', scripts, { encoding: 'utf8' })).toMatchObject({
    stdout: '',
    status: 0,
  })
})

describe.runIf(isPosix)(onPosix('the action'), () => {
  test('checks and builds a repository with content only, and installs by its own lockfile', () => {
    const program = checkout({ packages: false })
    const npm = `ln -s "${path.resolve('node_modules')}" "${program}/node_modules"`
    const { bin, calls } = fakes({ npm })
    const site = contentOnly()
    expect(act('check', { site, bin, program })).toMatchObject({ status: 0 })
    expect(act('build', { site, bin, program })).toMatchObject({ status: 0 })
    expect(isThere(site, 'dist/SHA256SUMS')).toBe(true)
    expect(calls()).toBe(`npm ci --omit=dev --prefix ${program} --no-audit --no-fund\n`)
  })

  test('shows errors at their lines, and puts the report into a file and the summary', () => {
    const site = committed()
    commitAll(site)
    appendTo(site, 'content/members/m1/profile.yaml', 'boi: x\n')
    expect(act('check', { site })).toMatchObject({
      status: 1,
      said: expect.stringContaining('::error file='),
    })
    const { status, read } = act('report', { site })
    expect(status).toBe(0)
    expect(read('summary.md')).not.toBe('')
    expect(readJson(`${site}/report.json`)).toHaveProperty('members')
    expect(readText(`${site}/report.html`)).toMatch(/^<!doctype html>/)
  })

  const reported = () => {
    const site = committed()
    const line = 'report --base HEAD --format json --output report.json'
    expect(runIn(site, line)).toMatchObject({ status: 0 })
    return site
  }
  const pull = {
    ...{ FILE: 'report.json', OWNER: 'bo', BRANCH: 'x', SHA: 'abc', RUN: '5', GH_TOKEN: 'x' },
    GITHUB_SERVER_URL: 'https://forge.example',
  }

  test.each(
    rowsOf(`
      adds a comment to the pull request with this head → 7 → ∅ → api --method POST repos/ana/site/issues/7/comments
      replaces the comment that it made before → 7 → 99 → api --method PATCH repos/ana/site/issues/comments/99
      comments nothing where no pull request has this head → ∅ → ∅
    `),
  )('%s', (_, number, id, call) => {
    const gh = `case "$*" in *pulls*) echo "${number}" ;; *--paginate*) echo "${id}" ;; *runs/5/*) echo 8 ;; esac`
    const { bin, calls } = fakes({ gh })
    const { status, said, read } = act('comment', { site: reported(), bin }, pull)
    expect({ status, said }).toMatchObject({ status: 0 })
    expect(read('comment.md')).toMatch(
      /^<!-- shotpress report -->\n### What the API will serve/,
    )
    expect(read('comment.md')).toContain(
      '(https://forge.example/ana/site/actions/runs/5/artifacts/8)',
    )
    expect(/api --method (?:POST|PATCH) [^ ]*/.exec(calls())?.[0]).toBe(call)
  })

  /** A trial merge of a change to a member of account 42, as the action checks it out. */
  const judgedSite = () => {
    const site = sandbox()
    const judged = `${site}/judged`
    const profile = 'content/members/bo/profile.yaml'
    const text = 'id: 2\nname: Bo\nowners: [42]\n'
    writeTree(judged, { 'content/site.yaml': siteYaml, [profile]: text })
    commitAll(judged)
    git(judged, 'switch -qc change')
    writeTree(judged, { [profile]: `${text}bio: Hello\n` })
    commitAll(judged)
    git(judged, 'switch -q main')
    git(judged, "merge -q --no-ff -m 'A merge' change")
    const name = (revision: string) => git(judged, `rev-parse ${revision}`).trim()
    return { site, base: name('HEAD^1'), head: name('HEAD^2'), tree: name('HEAD^{tree}') }
  }

  test('labels a pull request by what the base says, and none that was pushed to since', () => {
    const { site, head } = judgedSite()
    const labelled = (env: Record<string, string>) => {
      const { bin, calls } = fakes({ gh: '' })
      const all = { ...pull, PULL: '7', AUTHOR: '42', ACTOR: '42', SHA: head, ...env }
      expect(act('label', { site, bin }, all)).toMatchObject({ status: 0 })
      return /POST .*issues\/7\/labels -f labels\[\]=([\w-]+)/.exec(calls())?.[1]
    }
    expect(labelled({})).toBe('own')
    expect(labelled({ AUTHOR: '43', ACTOR: '43' })).toBe('mixed')
    // whose branch it is can go on pushing
    expect(labelled({ ACTOR: '43' })).toBe('mixed')
    expect(labelled({ SHA: '0'.repeat(40) })).toBeUndefined()
  })

  const merging: readonly (readonly [string, object, RegExp])[] = [
    ['what is own, where that is wanted', {}, /^merged/],
    ['nothing, where new members alone are', { MERGE: 'new' }, /the verdict is own/],
    ['nothing of a draft, or that is on hold', { HELD: 'true' }, /the verdict is own/],
    ['nothing of another account', { AUTHOR: '43', ACTOR: '43' }, /the verdict is mixed/],
    ['nothing that was pushed to since', { SHA: '0'.repeat(40) }, /the verdict is none/],
    [
      'nothing, where the forge sees another head',
      { PUSHED: '1' },
      /::notice::nothing is merged/,
    ],
    ['nothing, where main moved on', { TIP: '1'.repeat(40) }, /nothing is merged: main was/],
    ['and says so, if main moved on in that moment', { TREE: '1'.repeat(40) }, /::error::/],
  ]
  test.each(merging)('merges %s', (_, env, words) => {
    const { site, base, head, tree } = judgedSite()
    const { bin, calls } = fakes({
      gh: `case "$*" in
        *git/ref/heads/main*) echo "$TIP" ;;
        *PUT*pulls/7/merge*) [ -z "$PUSHED" ] && echo merge-of-7 ;;
        *git/commits/merge-of-7*) echo "$TREE" ;;
      esac`,
    })
    const ids = { PULL: '7', AUTHOR: '42', ACTOR: '42', SHA: head, TIP: base, TREE: tree }
    const site_ = {
      MERGE: 'own',
      HELD: 'false',
      BASE: 'main',
      PUBLISH: 'publish.yml',
      PUSHED: '',
    }
    const { status, said } = act(
      'merge',
      { site, bin },
      { ...pull, ...ids, ...site_, ...env },
    )
    const put = `-f sha=${head} -f merge_method=squash -f commit_title=bo (#7) -f commit_message=By account 42, merged as own\n`
    const isMerged = calls().includes(put) && !('PUSHED' in env)
    expect(isMerged ? `merged ${said}` : said).toMatch(words)
    expect(calls().includes('workflow run publish.yml --ref main')).toBe(isMerged)
    expect(status).toBe('TREE' in env ? 1 : 0)
  })

  test.each([
    ['with its author', 'false', [], 'number=7\nauthor=42\nbranch=main\nheld=false\n'],
    ['with a label that holds it', 'false', [{ name: 'hold' }], /held=true/],
  ])('finds a pull request %s by its head', (_, draft, labels, expected) => {
    const base = { ref: 'main', repo: { default_branch: 'main' } }
    const one = {
      number: 7,
      user: { id: 42 },
      mergeable: true,
      base,
      labels,
      head: { sha: 'abc' },
    }
    const all = [
      { ...one, number: 5, head: { sha: 'older' } },
      { ...one, number: 6, base: { ...base, ref: 'next' } },
      { ...one, draft: draft === 'true' },
    ]
    const { bin } = fakes({
      gh: `case "$*" in
        *pulls/7*) jq -r "\${@: -1}" <<< "$ONE" ;;
        *pulls*) jq -r "\${@: -1}" <<< "$ALL" ;;
      esac`,
    })
    const env = { ...pull, ONE: JSON.stringify(all[2]), ALL: JSON.stringify(all) }
    const output = `${sandbox()}/output`
    expect(
      act('find_pull', { site: sandbox(), bin }, { ...env, GITHUB_OUTPUT: output }).status,
    ).toBe(0)
    expect(readText(output)).toMatch(expected)
  })
})
