import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readPicture } from '../../scripts/pictures/picture.ts'
import { readCases } from '../cases.ts'
import { git } from '../git.ts'
import { ascii, berlin, chunk, exif, png } from '../pictures/bytes.ts'
import { isPosix, onPosix } from '../posix.ts'
import { expectRefusal, runIn } from '../processes.ts'
import {
  appendTo,
  namesIn,
  readText,
  readTree,
  sandbox,
  type Tree,
  withTimes,
  writeTree,
} from '../sandbox.ts'
import { site } from '../site.ts'
import { readTable, texts } from '../tables.ts'

const expectRight = (folder: string) => expect(runIn(folder, 'check').stderr).toBe('')

/** A file is a picture that tells nothing. */
const expectHarmless = (file: string) =>
  expect(readPicture(fs.readFileSync(file))).toMatchObject({
    kind: 'png',
    hasPlace: false,
    personal: [],
  })

test('a picture on this machine is copied beside its shot, without where it was taken', () => {
  const folder = sandbox(site)
  const tiff = exif([], [], berlin)
  // one's own link is followed
  writeTree(folder, { [isPosix ? 'tea' : 'My tea.PNG']: png(chunk('eXIf', tiff)) })
  if (isPosix) fs.symlinkSync('tea', `${folder}/My tea.PNG`)
  const { stdout, stderr } = runIn(folder, "new shot bo --title Tea --image './My tea.PNG'")
  expect(stdout).toBe('content/members/bo/shots/tea.png\ncontent/members/bo/shots/tea.yaml\n')
  expect(stderr).toMatch(/^the copy says no longer where .*\nnext: add what else/)
  const file = `${folder}/content/members/bo/shots/tea.png`
  expectHarmless(file)
  expect(readText(`${folder}/content/members/bo/shots/tea.yaml`)).toContain(
    'image: ./tea.png\n',
  )
  expectRight(folder)
})

test('check --fix takes out of a picture what tells on people, in place', () => {
  // some disks keep marks apart from their letters
  const picture = 'content/members/bo/shots/Größe.png'.normalize('NFD')
  const folder = sandbox({
    ...site,
    'content/members/bo/shots/one.yaml':
      'id: 21\ntitle: T\ndate: 2014-03-03\nimage: ./Größe.png\n',
    [picture]: png(
      chunk('eXIf', exif([ascii(0x010f, 'Kodak'), ascii(0x013b, 'Ana')], [], berlin)),
    ),
  })
  const { status, stdout, stderr } = runIn(folder, 'check --fix')
  expect(stderr).toMatch(/^content\/.*png:1: where it was taken.* → taken out\n$/)
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${picture}\n`)])
  expectHarmless(`${folder}/${picture}`)
})

test('an id whose token is taken is passed over, and so is a taken file name; a list takes spaces', () => {
  const one = 'content/members/bo/shots/one.yaml'
  // as of a shot that was 414029687 once
  const kept = { [one]: `${site[one]}token_id: 66911beb56489fd43b4a478a2502c6de76c24ad2\n` }
  const folder = sandbox({ ...site, ...kept })
  runIn(folder, "new member jo --skills 'logo, lettering'")
  expect(readText(`${folder}/content/members/jo/profile.yaml`)).toBe(
    'id: 662704730\nname: jo\nskills: [logo, lettering]\n',
  )
  const { stdout } = runIn(folder, 'new shot ana --title One')
  expect(stdout).toBe('content/members/ana/shots/one-414029688.yaml\n')
  expect(readText(`${folder}/content/members/ana/shots/one-414029688.yaml`)).toContain(
    'id: 414029688\n',
  )
  expectRight(folder)
})

const projects =
  'projects: [{ id: 5, created: 2014-03-01 }, { id: 6, created: 2015-03-01 }]\n'

test.each(readTable('test/edit/refused.txt'))(
  'exit status %i, %s: %s',
  (status, message, line) => {
    const folder = sandbox({
      ...site,
      'content/site.yaml': `${site['content/site.yaml']}reserved: [admin]\n`,
      'content/members/bo/profile.yaml': `id: 2\nname: Bo\n${projects}`,
      'content/members/dee/profile.yaml': 'id: 3\nname: Dee\naliases: d, e\n',
      'content/members/zed/note.txt': 'mine',
      'poster.png': png(),
    })
    const before = withTimes(folder)
    const outcome = runIn(folder, line!)
    expect(outcome.stderr).toContain(message)
    expect([outcome.status, outcome.stdout]).toEqual([Number(status), ''])
    expect(withTimes(folder)).toEqual(before)
  },
)

test('a member who is renamed, and back, is served under both names', () => {
  const folder = sandbox(site)
  expect(runIn(folder, 'rename ana ana-b').stdout.split('\n')[0]).toBe(
    'content/members/ana-b/profile.yaml',
  )
  expect(readText(`${folder}/content/members/ana-b/profile.yaml`)).toBe(
    'id: 1\nname: Ana Example\navatar: ana.png\naliases: [ana]\n',
  )
  expectRight(folder)
  runIn(folder, 'rename ana-b ana')
  expect(readText(`${folder}/content/members/ana/profile.yaml`)).toContain('aliases: [ana-b]')
  runIn(folder, 'build')
  expect(runIn(folder, 'rename ana ANA').stderr).toContain('the old spelling answers 404')
  expect(namesIn(folder, 'content/members')).toEqual(['ANA', 'bo'])
  expectRight(folder)
  runIn(folder, 'build')
  expect(namesIn(folder, 'dist/api/username')).toEqual(['ANA', 'ana-b', 'bo'])
  expect(readText(`${folder}/dist/api/username/ANA/index.json`)).toContain('"username":"ANA"')
})

const forOthers = 'base_url: https://api.example.com # ours\nreserved: [admin] # always\n'

test('a member who is removed is gone, and nobody else can have the names', () => {
  const folder = sandbox({ ...site, 'content/site.yaml': forOthers })
  runIn(folder, 'rename ana ana-b')
  const { status, stdout, stderr } = runIn(folder, 'remove ana-b')
  expect(status).toBe(0)
  expect(stdout.split('\n')).toEqual(
    texts(
      'content/members/ana-b/profile.yaml¦content/members/ana-b/shots/one.yaml',
      'content/members/ana-b/shots/two.yaml¦content/site.yaml¦',
    ),
  )
  expect(stderr).toContain('git filter-repo --invert-paths --path content/members/ana-b/')
  expect(readText(`${folder}/content/site.yaml`)).toBe(
    'base_url: https://api.example.com # ours\nreserved: [admin, ana-b, ana] # always\n',
  )
  expect(namesIn(folder, 'content/members')).toEqual(['bo'])
  expectRight(folder)
  expect(runIn(folder, 'new member Ana').stderr).toContain('reserved')
})

test('the line that rewrites history has the folders of all names, as git knows them', () => {
  const folder = `${sandbox()}/my site`
  writeTree(folder, {
    'content/site.yaml': `${forOthers}groups: 1\n`,
    'content/members/p/pixie/profile.yaml': 'id: 1\nname: Pixie\naliases: [ana]\n',
  })
  git(path.dirname(folder), 'init -q')
  expect(runIn(folder, 'remove pixie').stderr).toContain(
    'paths --path "my site/content/members/p/pixie/" --path "my site/content/members/a/ana/", then',
  )
})

test('with --no-reserve the name of who is removed is free, and site.yaml stays as it is', () => {
  const folder = sandbox({ ...site, 'content/site.yaml': forOthers })
  expect(runIn(folder, 'remove ana --no-reserve').status).toBe(0)
  expect(readText(`${folder}/content/site.yaml`)).toBe(forOthers)
  expect(runIn(folder, 'new member ana').status).toBe(0)
})

test('a removal that was killed after it had reserved the name goes on', () => {
  const folder = sandbox({
    ...site,
    'content/site.yaml': `${forOthers.replace('admin', 'admin, ana')}`,
  })
  expect(runIn(folder, 'check').status).toBe(1)
  expect(runIn(folder, 'remove ana').status).toBe(0)
  expectRight(folder)
})

test('a new shot raises a total that the profile writes out', () => {
  const profile = (total: number) => `id: 2\nname: Bo\ntotalShots: ${total} # so far\n`
  const folder = sandbox({ ...site, 'content/members/bo/profile.yaml': profile(1) })
  const { stdout } = runIn(folder, 'new shot bo --title Two')
  expect(stdout).toBe('content/members/bo/shots/two.yaml\ncontent/members/bo/profile.yaml\n')
  expect(readText(`${folder}/content/members/bo/profile.yaml`)).toBe(profile(2))
  expectRight(folder)
})

test('tidy lists, shows and then changes what is out of order, and leaves what is broken', () => {
  const folder = sandbox({
    ...site,
    'content/members/ana/profile.yaml': 'name: Ana # c\r\nid: 1\r\n',
    'content/members/bo/profile.yaml': 'name: [\n',
  })
  const before = withTimes(folder)
  expect(runIn(folder, 'tidy --check content/members/ana')).toMatchObject({
    status: 1,
    stdout: 'content/members/ana/profile.yaml\n',
  })
  expect(runIn(folder, 'tidy --diff').stdout).toContain('+id: 1\n')
  expect(withTimes(folder)).toEqual(before)
  const outcome = runIn(folder, 'tidy')
  expect(outcome.status).toBe(1)
  expect(outcome.stdout).toBe('content/members/ana/profile.yaml\n')
  expect(outcome.stderr).toContain(
    'content/members/bo/profile.yaml is left as it is: it is broken',
  )
  expect(readText(`${folder}/content/members/ana/profile.yaml`)).toBe(
    'id: 1\nname: Ana # c\n',
  )
  expect(runIn(folder, 'tidy content/members/a*/**')).toMatchObject({ status: 0, stdout: '' })
})

test('check shows, and fails for, what has to do with the files that are named', () => {
  const folder = sandbox({
    ...site,
    'content/members/bo/shots/copy.yaml': site['content/members/ana/shots/one.yaml'],
    'content/members/bo/profile.yaml': 'id: x\nname: Bo\n',
  })
  const lines = (glob = '') => runIn(folder, `check --format lines ${glob}`)
  const taken = expect.stringContaining(
    'content/members/bo/shots/copy.yaml:1:5: error: the shot id "11" is taken',
  )
  expect(lines().stdout.split('\n')).toHaveLength(3)
  expect(lines('content/members/ana/shots/one.yaml')).toMatchObject({
    status: 1,
    stdout: taken,
  })
  expect(lines('content/members/a*/**').stdout.split('\n')).toHaveLength(2)
  expect(lines('content/members/ana/shots/two.yaml')).toMatchObject({ status: 0, stdout: '' })
  expect(lines('content/members/x').status).toBe(2)
})

test('files may be named by way of a link to the folder that holds the content', () => {
  const folder = sandbox(
    Object.fromEntries(Object.entries(site).map(([file, text]) => [`site/${file}`, text])),
  )
  appendTo(folder, 'site/content/members/ana/profile.yaml', 'nome: wrong\n')
  fs.symlinkSync(`${folder}/site`, `${folder}/link`, 'junction')
  const named = path.join(folder, 'link/content/members/ana')
  expect(runIn(path.join(folder, 'site'), `check '${named}'`).stderr).toContain(
    'unknown key "nome"',
  )
})

test.runIf(isPosix)(onPosix('--output to a pipe that nobody reads is refused'), () => {
  const folder = sandbox(site)
  execFileSync('mkfifo', [`${folder}/pipe`])
  expectRefusal(runIn(folder, 'check --format json --output pipe'), 'pipe')
})

const ana = 'content/members/ana'

/**
 * A tree below `content`: each file begins with `## ` and its path; one that says nothing is
 * not there.
 */
const treeIn = (text: string) => {
  const files = text.split(/^## /m).slice(1)
  return Object.fromEntries(
    files.map((one) => {
      const [file = ''] = one.split('\n', 1)
      return [`content/${file}`, one.slice(file.length + 1)]
    }),
  )
}

test.each(readCases('test/edit/fixed.txt'))('check --fix %s', (_, given, fixed) => {
  const all: Tree = { ...site, ...treeIn(given.text) }
  const before = Object.fromEntries(Object.entries(all).filter(([, text]) => text !== '∅\n'))
  const after = treeIn(fixed.text)
  const folder = sandbox(before)
  const { status, stdout, stderr } = runIn(folder, 'check --fix')
  for (const line of texts(fixed.label).filter(Boolean))
    expect(stderr).toContain(`content/members/${line}`)
  expect(readTree(folder)).toMatchObject(after)
  const written = Object.keys(after).filter((file) => after[file] !== before[file])
  expect([status, stdout.trimEnd().split('\n').filter(Boolean).sort()]).toEqual([
    1,
    written.sort(),
  ])
})

test('check --fix of a pattern fixes and judges a file under its new name, and prints it once', () => {
  const folder = sandbox({
    ...site,
    'content/members/ana/shots/three.yaml.txt':
      'id: 13\ntitel: A\ndate: 2.3.2014\nimage: a.png\n',
  })
  const { status, stdout, stderr } = runIn(
    folder,
    'check --fix content/members/ana/shots/three*',
  )
  expect([status, stdout]).toEqual([1, 'content/members/ana/shots/three.yaml\n'])
  expect(stderr).toContain('content/members/ana/shots/three.yaml:2: titel → title\n')
  expect(stderr).toContain('"2.3.2014" is not a date')
})

test.runIf(isPosix)(
  onPosix('check --fix leaves a file beside a link that has its name and leads nowhere'),
  () => {
    const folder = sandbox({ ...site, [`${ana}/shots/new.yaml.txt`]: 'id: 13\n' })
    fs.symlinkSync('nowhere', `${folder}/${ana}/shots/new.yaml`)
    const before = readTree(folder)
    expect(runIn(folder, 'check --fix').stderr).toContain('[wrong-ending]')
    expect(readTree(folder)).toEqual(before)
  },
)
