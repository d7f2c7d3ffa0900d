import { expect, test } from 'vitest'
import { git } from '../git.ts'
import { runIn } from '../processes.ts'
import { isThere, makeFolder, readText, sandbox, writeTree } from '../sandbox.ts'

test('a site from its first member to a report: each command does its work', () => {
  const folder = sandbox({ 'content/site.yaml': 'base_url: https://api.example.com\n' })
  makeFolder(folder, 'content/members')
  const read = (file: string) => readText(`${folder}/content/members/${file}`)
  const run = (line: string) => {
    const { status, stdout, stderr } = runIn(folder, line)
    expect(status, `${line}: ${stderr}`).toBe(0)
    return stdout
  }
  expect(run("new member cy --name 'Cy: Example'")).toBe('content/members/cy/profile.yaml\n')
  const shot = "new shot cy --title 'Ünder #1' --date 2014-03-02 --image a.png"
  expect(run(shot)).toBe('content/members/cy/shots/under-1.yaml\n')
  expect(read('cy/shots/under-1.yaml')).toBe(
    'id: 610294548\ntitle: "Ünder #1"\ndate: 2014-03-02\nimage: a.png\n',
  )
  expect(run('build')).toContain('1 member (1 compiled), 1 shot; 7 files written')
  git(folder, 'init -q')
  git(folder, 'add content')
  git(folder, "commit -qm 'The site'")
  run('rename cy cyn')
  writeTree(folder, {
    'content/members/cyn/shots/two.yaml':
      'title:Two\nid: 5 # c\ndate: 3.25.2014\nimage: b.png\n',
  })
  expect(run('check --fix')).toContain('content/members/cyn/shots/two.yaml\n')
  expect(run('tidy')).toBe('content/members/cyn/shots/two.yaml\n')
  expect(read('cyn/shots/two.yaml')).toBe(
    'id: 5 # c\ntitle: Two\ndate: 2014-03-25\nimage: b.png\n',
  )
  expect(run('gallery')).toContain('1 member, 2 works\n')
  expect(isThere(folder, 'gallery/members/cyn/5/index.html')).toBe(true)
  const { members, addresses } = JSON.parse(run('report --base HEAD --format json'))
  expect(members).toMatchObject({
    added: [],
    removed: [],
    renamed: [{ from: 'cy', to: 'cyn' }],
  })
  expect(members.changed[0].shots).toMatchObject({ entered: ['5'], left: [] })
  expect(addresses).toEqual({ added: ['/api/username/cyn'], removed: [] })
})
