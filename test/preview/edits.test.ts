import { hash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Changed } from '../../scripts/files/write.ts'
import { createHistory } from '../../scripts/preview/history.ts'
import { captured } from '../captured.ts'
import {
  isThere,
  makeFolder,
  namesIn,
  readJson,
  readTree,
  removeFrom,
  sandbox,
  type Tree,
  writeTree,
} from '../sandbox.ts'
import { rowsOf, texts } from '../tables.ts'
import { expectStatus, formAt, profile, shot } from './previewing.ts'
import { ana, one, site, startSite, three, two } from './site.ts'

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** What a form's fields say, for these values. */
const textsOf = (values: object) =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      key === 'projects' ? value : [Array.isArray(value) ? value.join(', ') : value],
    ]),
  )

/** A preview that takes edits, and a way to send them. */
const editing = async (tree: Tree = site, options = {}) => {
  const started = await startSite(tree, options)
  const { url, post, baseOf } = started
  const send = async (
    address: string,
    data: object | string,
    headers: Record<string, string> = {},
  ) => {
    const values =
      typeof data === 'object' && 'values' in data && textsOf(data.values as object)
    const body =
      typeof data === 'string' ? data : JSON.stringify({ ...data, ...(values && { values }) })
    const own = { Origin: url, 'Content-Type': 'application/json', 'Shotpress-Edit': 'right' }
    const answer = await post(address, body, { ...own, ...headers })
    const text = await answer.text()
    return { status: answer.status, text, ...(text.startsWith('{') ? JSON.parse(text) : {}) }
  }
  const act = (action: string, data: object = {}) => send('/-/do', { ...data, action })
  const save = async (file: string, values: object) =>
    act('save', { file, base: await baseOf(file), values })
  const add = (file: string, picture: unknown = png) =>
    act('picture', { file, key: 'image', picture })
  /** What is said while one types. */
  const check = async (file: string, values: object) =>
    (await send('/-/check', { file, base: await baseOf(file), values })).parts
  const remove = async (file: string) => act('delete', { file, base: await baseOf(file) })
  return { ...started, send, act, save, add, check, remove }
}

/** Refused, and told at this field alone. */
const expectRefusedAt = (
  key: string,
  { status, parts = {} }: { readonly status: number; readonly parts?: object },
) => expect([status, Object.keys(parts)], key).toEqual([422, [`e-${key}`]])

const odd = `# yaml-language-server: $schema=x
id:   11   # the first
title: "First"  # kept

date: '2024-01-01'
image: one.png
price_item: 24.50
tags: [ red,   blue ] # two
`.replaceAll('\n', '\r\n')

test('a form has a field for each key of the schema, with what is written there', async () => {
  const { at, get, page } = await editing({ ...site, [one]: odd })
  const { body, status } = await get(formAt(one))
  expect(status).toBe(200)
  const schema = readJson('schemas/shot.schema.json')
  for (const key of Object.keys(schema.properties))
    expect(body).toContain(`data-key="${key}"`)
  expect(body).toContain('value="24.50"')
  expect(body).toContain('value="2024-01-01"')
  expect(body).toMatch(/data-key="tags".*value="red, blue"/)
  // what a row can't show is left to the editor
  const wrong = `${site[ana]}projects: [7, { id: [8] }]\n`
  writeTree(at, { [ana]: wrong })
  const about = await page(formAt(ana))
  expect(about).toMatch(/id="f-projects"><bdi>\[&quot;7&quot;/)
  // each label is that of an input
  for (const id of captured(about, /<label for="(.*?)"/g))
    expect(about).toMatch(new RegExp(`<(?:input|textarea|select)[^>]* id="${id}"`))
  // an attachment is an address, and never a file beside the work
  const choosers = captured(body, /data-key="(\w+)"(?:(?!data-key).)*type="file"/g)
  expect(choosers).toEqual(['image', 'large_image'])
  for (const file of texts(
    'content/site.yaml¦content/../package.json¦¦content/members/x/profile.yaml',
  )) {
    const lost = { status: 404, body: expect.stringContaining('id="sp-bar"') }
    expect(await get(formAt(file)), file).toMatchObject(lost)
  }
})

test('a form changes what was changed and not one byte more; undo gives every byte back', async () => {
  const { act, at, remove, save, text } = await editing({ ...site, [one]: odd })
  const values = {
    title: 'Other',
    tags: ['red', 'blue', 'green'],
    description: 'Two\nlines.',
  }
  const saved = await save(one, values)
  expect(saved).toMatchObject({ status: 200, to: '/members/ana/11/' })
  expect(text(one)).toBe(
    odd
      .replace('"First"', '"Other"')
      .replace('[ red,   blue ]', '[ red,   blue, green ]')
      .replace(
        'image: one.png\r\n',
        'image: one.png\r\ndescription: |-\r\n  Two\r\n  lines.\r\n',
      ),
  )
  const before = readTree(`${at}/content`)
  await act('rename', { from: 'ana', to: 'anna' })
  expect(isThere(at, profile('anna'))).toBe(true)
  await expectStatus(200, remove(shot('anna', 'two')))
  expect(namesIn(at, '.shotpress/bin')).toHaveLength(1)
  for (const name of ['anna', 'ana'])
    expect(await act('undo')).toMatchObject({ to: `/members/${name}/` })
  expect(readTree(`${at}/content`)).toEqual(before)
  await expectStatus(200, act('undo'))
  expect(text(one)).toBe(odd)
  expect(await act('undo')).toMatchObject({ status: 422, said: 'there is nothing to undo' })
})

test('a form says while one types what check would say, at its field, and writes nothing', async () => {
  const { check, save, text } = await editing()
  const values = { date: '2024-02-30', title: 'Live <b>' }
  expect(await check(one, values)).toMatchObject({
    'e-date': expect.stringMatching(/2024-02-30.*: /),
    'e-title': '',
    'sp-view': expect.stringContaining('Live &lt;b&gt;'),
  })
  const refused = { 'e-date': expect.stringContaining('2024-02-30') }
  expect(await save(one, values)).toMatchObject({ status: 422, parts: refused })
  expect(text(one)).toBe(site[one])
})

test('what is said at a field holds no brackets of YAML, and marks part words as commas do', async () => {
  const { check } = await editing()
  const words = await check(one, { tags: 'red; blue | tea time' })
  expect(words['sp-view']).toMatch(/>red<.*>blue<.*>tea-time</s)
  const rows = await check(ana, { projects: ['', '', 'Bakery'] })
  expect(rows['e-projects']).not.toContain('[')
})

test('what is typed is compared with the other works as the last build found them', async () => {
  const { at, baseOf, send } = await editing()
  const base = await baseOf(one)
  removeFrom(at, two)
  const { parts } = await send('/-/check', { file: one, base, values: { id: '12' } })
  expect(parts['e-id']).toContain('taken')
})

test('of two edits at once that take one id or name, the second is refused', async () => {
  const { act, save } = await editing(site, { buildsAfterMs: 200 })
  const statusesOf = async (edits: readonly Promise<{ readonly status: number }>[]) =>
    (await Promise.all(edits)).map(({ status }) => status).sort()
  expect(await statusesOf([save(one, { id: '99' }), save(two, { id: '99' })])).toEqual([
    200, 422,
  ])
  const make = (username: string) => act('new-member', { username, name: 'Kim' })
  expect(await statusesOf([make('kim'), make('KIM')])).toEqual([200, 422])
})

test('what somebody else has is refused at its field, and said while one types', async () => {
  const token = (letter: string) => letter.repeat(40)
  const { act, check, save, send, show, text } = await editing({
    ...site,
    'content/site.yaml': `${site['content/site.yaml']}reserved: [admin]\n`,
    [shot('bo', 'far')]:
      `id: 21\ntitle: Far\ndate: 2024-01-01\nimage: a.png\ntoken_id: ${token('a')}\n`,
    [shot('bo', 'no-id')]: `title: x\ntoken_id: ${token('c')}\n`,
  })
  for (const [file, key, value] of rowsOf(`
    ${one} → id → 12
    ${one} → id → 21
    ${one} → token_id → ${token('a')}
    ${one} → token_id → ${token('c')}
    ${one} → token_id → ${hash('sha1', 'shot:12')}
    ${one} → id_project → 7
    ${ana} → id → 2
    ${ana} → aliases → bo
    ${ana} → aliases → BO
    ${ana} → aliases → ana
    ${ana} → aliases → admin
    ${ana} → aliases → one, ONE
    ${profile('bo')} → aliases → ana-lima
  `)) {
    const name = `${key}: ${value}`
    expect((await check(file, { [key]: value }))[`e-${key}`], name).toMatch(
      /taken|reserved|has no project/,
    )
    expectRefusedAt(key, await save(file, { [key]: value }))
    expect(text(file), name).toBe(`${site[file]}`)
  }
  for (const [action, about] of [
    ['rename', { from: 'ana', to: 'bo' }],
    ['rename', { from: 'ana', to: 'no name' }],
    ['new-member', { username: 'Ana-Lima', name: 'x' }],
  ] as const) {
    const key = action === 'rename' ? 'to' : 'username'
    expect((await send('/-/check', { action, ...about })).parts[`e-${key}`]).toMatch(
      /taken|can&#39;t be a/,
    )
    expectRefusedAt(key, await act(action, about))
  }
  await expectStatus(200, save(one, { id: '11', token_id: token('b'), title: 'Own' }))
  await show({})
  await expectStatus(200, save(ana, { aliases: ['ana-lima', 'lima'] }))
})

test('what a file would make wrong elsewhere in the member is refused at its field', async () => {
  const projects = 'projects: [{ id: 7, created: 2024-01-01 }]\n'
  const { act, save, text } = await editing({
    ...site,
    [ana]: `${site[ana]}${projects}totalShots: 2\n`,
    [one]: `${site[one]}id_project: 7\n`.replace('First', 'First # a remark'),
  })
  expectRefusedAt('title', await save(one, { title: '' }))
  const before = text(ana)
  for (const [values, key, said] of [
    [{ projects: ['7', ''] }, 'projects', '"created" is needed, such as 2'],
    [{ projects: ['', ''] }, 'projects', `no project "7" (in ${one})`],
    [{ totalShots: '1' }, 'totalShots', 'totalShots is 1, but the content holds 2'],
  ] as const) {
    const refused = await save(ana, values)
    expectRefusedAt(key, refused)
    expect(refused.parts[`e-${key}`].replaceAll('&quot;', '"')).toContain(said)
    expect(text(ana)).toBe(before)
  }
  const blank = await act('new-work', { username: 'ana', title: ' ', image: 'x.png' })
  expect([blank.status, blank.said]).toEqual([422, expect.stringContaining('title')])
})

test('a total that a profile writes out is raised with a work that is a draft no longer, or nothing is written', async () => {
  const total = (written: string) => ({
    ...site,
    [ana]: `${site[ana]}totalShots: ${written}\n`,
  })
  const { save, text } = await editing(total('2'))
  await expectStatus(200, save(three, { draft: '' }))
  expect(text(ana)).toContain('totalShots: 3')
  const held = await editing(total('&n 2\nLists: *n'))
  const before = readTree(`${held.at}/content`)
  const { value } = await held.add(three)
  for (const answer of [
    await held.save(three, { draft: '', image: value }),
    await held.act('new-work', { username: 'ana', title: 'x', picture: png }),
  ])
    expect([answer.status, answer.said]).toEqual([422, expect.stringContaining('be edited')])
  expect(readTree(`${held.at}/content`)).toEqual(before)
  await expectStatus(200, held.save(three, { image: value }))
})

test('a picture that nothing names any more goes with its work or its key, and comes back with Undo', async () => {
  const { act, add, at, remove, save, text } = await editing()
  const image = 'content/members/ana/shots/one.png'
  await add(one)
  await save(one, { image: './one.png' })
  await save(one, { image: 'one.png' })
  expect([isThere(at, image), text(one)]).toEqual([false, site[one]])
  await act('undo')
  expect(isThere(at, image)).toBe(true)
  await save(ana, { avatar: './shots/one.png' })
  const left = async () => {
    await remove(one)
    return [one, image].filter((file) => isThere(at, file))
  }
  expect(await left(), 'the profile names it').toEqual([image])
  for (let steps = 0; steps < 2; steps++) await act('undo')
  expect(await left()).toEqual([])
  await act('undo')
  expect(fs.readFileSync(`${at}/${image}`, 'base64')).toBe(png)
})

test('what check --fix would do is a button, and can be undone', async () => {
  const wrong = `${site[one]}tasg: [x]\n`.replace('tags: [red]\n', '')
  const { act, text, page } = await editing({ ...site, [one]: wrong })
  expect(await page(formAt(one))).toContain('data-action="fix"')
  await expectStatus(200, act('fix', { file: one }))
  expect(text(one)).toBe(wrong.replace('tasg', 'tags'))
  await expectStatus(422, act('fix', { file: one }))
  await act('undo')
  expect(text(one)).toBe(wrong)
})

test('a field that is cleared keeps the comment behind it, and draft: false', async () => {
  const start = `${site[one]}alt: A saxophone # by Ana\nprice_item: "5"\ndraft: false\n`
  const { save, text } = await editing({ ...site, [one]: start })
  await save(one, { alt: '', price_item: '', draft: 'true' })
  await save(one, { draft: '' })
  expect(text(one)).toBe(`${site[one]}alt: # by Ana\ndraft: false\n`)
  await save(one, { alt: 'A sax \n by Ana', description: 'one\ttwo\nthree' })
  expect(text(one)).toContain('alt: A sax by Ana # by Ana\n')
  expect(text(one)).toContain('description: |-\n  one\ttwo\n  three\n')
})

test('Undo refuses what would be in the way of somebody else, and long names do no harm', async () => {
  const long = 'x'.repeat(240)
  const { act, add, at, remove, save } = await editing({
    ...site,
    [shot('ana', long)]: `${site[one]}`.replace('11', '15'),
  })
  const file = shot('ana', long)
  const added = await add(file)
  expect(added.status).toBe(200)
  await add(file)
  await save(file, { image: added.value })
  await expectStatus(200, remove(file))
  await act('rename', { from: 'ana', to: 'anna' })
  makeFolder(at, 'content/members/ana')
  await expectStatus(409, act('undo'))
  removeFrom(at, 'content/members/ana')
  fs.symlinkSync('nowhere', `${at}/content/members/ana`, 'junction')
  await expectStatus(409, act('undo'))
  removeFrom(at, 'content/members/ana')
  await expectStatus(200, act('undo'))
})

test('a form refuses a file that changed on the disk meanwhile, and shows both versions', async () => {
  const { act, at, baseOf, text } = await editing()
  const base = await baseOf(one)
  const theirs = `${site[one]}price_item: "5"\n`
  writeTree(at, { [one]: theirs })
  const values = { title: 'Mine' }
  const refused = await act('save', { file: one, base, values })
  expect(refused.status).toBe(409)
  expect(refused.parts['e-title']).toBe('')
  const both = refused.parts['sp-conflict']
  expect(both).toContain('<th scope="row">Title</th><td>Mine</td><td>First</td>')
  const base2 = /value="([0-9a-f]+)"/.exec(both)![1]!
  expect(text(one)).toBe(theirs)
  const unknown = await act('save', { file: one, base, values: { titel: 'Mine' } })
  expect(unknown).toMatchObject({ status: 422, said: 'there is no key "titel"' })
  await expectStatus(200, act('save', { file: one, base: base2, values }))
  expect(text(one)).toBe(theirs.replace('First', 'Mine'))
  writeTree(at, { [one]: theirs })
  await expectStatus(409, act('undo'))
  await expectStatus(409, act('delete', { file: one, base }))
  expect(text(one)).toBe(theirs)
})

test('what an editor has moved aside for a moment stays when an edit fails meanwhile', () => {
  const root = sandbox({ 'shots/two.yaml': 'two' })
  const history = createHistory({ path: root, name: 'content' }, { root, below: 'bin' })
  const run = () => {
    writeTree(root, { 'shots/one.yaml': 'theirs', 'shots/made.yaml': 'ours' })
    throw new Changed('it was changed meanwhile')
  }
  const files = ['shots/one.yaml', 'shots/made.yaml'] as const
  const makes = ['shots/made.yaml']
  expect(() => history.track({ said: '', files, makes, run })).toThrow(Changed)
  expect(namesIn(root, 'shots')).toEqual(['one.yaml', 'two.yaml'])
  expect(() => history.discard(['shots/gone.yaml'])).toThrow(Changed)
})

test('a form of a file with an anchor or broken syntax leads to the editor', async () => {
  const { save, text, page } = await editing({
    ...site,
    [one]: 'id: 11\ntitle: &t First\n  x: [\n',
    [two]: `${site[two]}alt: &a Two\ndescription: *a\n`,
  })
  expect((await save(two, { alt: 'Other' })).said).toContain('edited here')
  await expectStatus(200, save(two, { title: 'Other' }))
  expect(text(two)).toBe(
    `${site[two]}alt: &a Two\ndescription: *a\n`.replace('Second', 'Other'),
  )
  const body = await page(formAt(one))
  expect(body).toContain('can’t be edited in a form')
  expect(body).toContain('title: &amp;t First\n  x: [\n</pre>')
  expect(body).toContain('Delete this work')
  expect(body).not.toContain('id="sp-form"')
})

test('a file that is no text has no form, and is never written over', async () => {
  const { at, send, page } = await editing()
  const bytes = Buffer.from('id: 11\ntitle: Caf\xe9\n', 'latin1')
  fs.writeFileSync(`${at}/${one}`, bytes)
  const body = await page(formAt(one))
  expect(body).toContain('can’t be edited in a form: it is no UTF-8 text of at most 1 MiB')
  const oid = hash('sha1', Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]))
  const values = { title: ['x'] }
  for (const base of [oid, '']) {
    for (const action of ['save', 'delete'])
      await expectStatus(409, send('/-/do', { action, file: one, base, values }))
  }
  expect(fs.readFileSync(`${at}/${one}`).equals(bytes)).toBe(true)
})

test('new members, works and pictures are what check finds right', async () => {
  const { act, at, text } = await editing()
  expect(await act('new-member', { username: 'cy', name: 'Cy' })).toMatchObject({
    to: '/members/cy/',
  })
  const made = await act('new-work', {
    username: 'cy',
    title: 'Night poster',
    image: 'night.png',
  })
  expect(made).toMatchObject({ status: 200, to: '/members/cy/894356529/' })
  expect(text(shot('cy', 'night-poster'))).toContain('title: Night poster\n')
  const before = readTree(`${at}/content`)
  expect(await act('new-work', { username: 'cy', title: 'x', image: 'a b' })).toMatchObject({
    status: 422,
  })
  const lost = await act('new-work', { username: 'cy', title: 'x', image: './lost.png' })
  expectRefusedAt('image', lost)
  expect(lost.parts['e-image']).toContain('lost.png')
  expect(readTree(`${at}/content`)).toEqual(before)
  for (const to of ['/members/cy/', '/'])
    expect(await act('undo')).toMatchObject({ status: 200, to })
  expect(isThere(at, 'content/members/cy')).toBe(false)
})

test('a new picture is stored beside its work when that is saved, and nothing that is none', async () => {
  const { act, add, at, baseOf, get, send, text } = await editing()
  const before = readTree(`${at}/content`)
  const stored = await add(one)
  expect(stored).toMatchObject({ status: 200, value: './one.png' })
  expect(readTree(`${at}/content`), 'nothing is left of a form that is not saved').toEqual(
    before,
  )
  const save = { file: one, base: await baseOf(one), values: { image: './one.png' } }
  const { parts } = await send('/-/check', save)
  const [address] = /\/pictures\/\w+\.png/.exec(parts['sp-view'])!
  expect((await get(address)).status, 'it is shown before').toBe(200)
  const lost = await act('save', { ...save, values: { image: './lost.png' } })
  expectRefusedAt('image', lost)
  expect(lost.parts['e-image']).toContain('lost.png')
  const image = `${at}/content/members/ana/shots/one.png`
  fs.writeFileSync(image, Buffer.from(png, 'base64')) // somebody else’s
  await expectStatus(409, act('save', save))
  fs.rmSync(image)
  await expectStatus(200, act('save', save))
  expect(fs.readFileSync(image).toString('base64')).toBe(png)
  await act('undo')
  expect([fs.existsSync(image), text(one)]).toEqual([false, site[one]])
  await add(one)
  expect(await add(one)).toMatchObject({
    value: './one-2.png',
  })
  for (const picture of ['', 'AAAA', 'no base64!', [], png.slice(0, 40)]) {
    expect((await add(one, picture)).status).toBe(Array.isArray(picture) ? 400 : 422)
  }
})

describe('hostile requests', () => {
  const long = 'x'.repeat(200_000)
  const undo = JSON.stringify({ action: 'undo' })
  const own = (data: object) => JSON.stringify(data)
  const bodies = [
    ...texts('¦{¦null¦[]¦5¦"x"¦{"action":"undo"¦{}¦{"action":["save"]}¦{"action":5}'),
    ...['', 'build', '__proto__', 'constructor', long].map((action) => own({ action })),
    ...texts(
      '../../etc/passwd¦content/../x¦content/site.yaml¦content/members¦¦__proto__',
      'content/members/ana/../bo/profile.yaml¦content/members/ana/import.json',
    ).flatMap((file) =>
      ['save', 'delete', 'picture'].map((action) =>
        own({ action, file, base: 'x', values: { title: ['x'] }, picture: png }),
      ),
    ),
    ...texts(
      '[]¦5¦"x"¦{"nokey":["x"]}¦{"__proto__":["x"]}¦{"constructor":["x"]}¦{"title":5}¦{"title":null}',
      `{"title":[["a"]]}¦{"title":["a\\u0000b"]}¦{"title":[""]}¦{"id":["0"]}¦{"title":["${long}"]}`,
    ).map((values) => `{"action":"save","file":"${one}","base":"BASE","values":${values}}`),
    ...texts('..¦../x¦a/b¦a\\b¦¦con¦ x¦x.¦\u202e¦x\0¦-x¦.git¦Ana-Lima', long).map(
      (username) => own({ action: 'new-member', username, name: 'x' }),
    ),
    ...texts('..¦../x¦nobody').map((username) =>
      own({ action: 'new-work', username, title: 'x', image: 'x.png' }),
    ),
    ...texts('..¦../x¦ANA/x¦bo').map((to) => own({ action: 'rename', from: 'ana', to })),
  ]
  const headers = [
    ...texts('https://evil.example¦null¦http://localhost¦http://evil.localhost').map(
      (Origin) => ({
        Origin,
      }),
    ),
    ...texts('¦wrong¦Right¦right,right').map((key) => ({ 'Shotpress-Edit': key })),
  ]

  test(`of ${bodies.length} kinds are refused in words, and write nothing`, async () => {
    const { at, baseOf, failures, send } = await editing()
    const base = await baseOf(one)
    const before = readTree(`${at}/content`)
    for (const body of bodies) {
      const { status, text } = await send('/-/do', body.replace('BASE', base))
      const name = `${body.slice(0, 200)}: ${status} ${text}`
      // of these values there are none
      const isNothing = status === 200 && text.includes('nothing is different')
      expect(isNothing || (status >= 400 && status < 500), name).toBe(true)
      expect(text, name).not.toMatch(/\n +at |TypeError|undefined/)
    }
    for (const one of headers) await expectStatus(403, send('/-/do', undo, one))
    expect(readTree(`${at}/content`)).toEqual(before)
    expect(failures).toEqual([])
  }, 60_000)

  test('without the key are refused before their bodies are read', async () => {
    const { ports, url } = await editing()
    const socket = net.connect(ports.http, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const head = ['POST /-/do HTTP/1.1', `Host: ${new URL(url).host}`, `Origin: ${url}`]
    const body = texts('Content-Type: application/json¦Content-Length: 14000000¦¦{')
    socket.write([...head, ...body].join('\r\n'))
    expect(`${await once(socket, 'data')}`).toMatch(/^HTTP\/1.1 403/)
  })

  test('of too many bytes and two at once do no harm; --read-only takes none', async () => {
    const { act, baseOf, send, text } = await editing()
    const base = await baseOf(one)
    for (const large of [
      `"${'A'.repeat(20_000_000)}"`,
      `{"length":"9e9"},"values":{"title":"${long}"}`,
    ]) {
      const said = expect.stringMatching(/200,000 characters.* picture of more than 10 MiB/)
      expect(await send('/-/do', `{"action":"undo","picture":${large}}`)).toMatchObject({
        status: 400,
        said,
      })
    }
    const both = await Promise.all(
      ['A', 'B'].map((title) => act('save', { file: one, base, values: { title } })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const closed = await editing(site, { readOnly: true })
    await expectStatus(403, closed.act('new-member', { username: 'x', name: 'x' }))
    expect((await closed.get('/members/ana/')).body).not.toContain('>Edit<')
    expect(text(one)).toMatch(/title: [AB]\n/)
  })
})
