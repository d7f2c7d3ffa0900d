import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { describe, expect, test } from 'vitest'
import { createLoader } from '../scripts/advice/loader.ts'
import { errors, okHeaders, preflight } from '../scripts/api/routes.ts'
import { captured } from './captured.ts'

const pages = glob.sync(['*.md', 'docs/**/*.md']).sort()
const text = (page: string) => fs.readFileSync(page, 'utf8')

/** A page without what stands in code blocks. */
const prose = (page: string) => text(page).replace(/^```.*?^```/gms, '')

/** Names by which headings are linked, as GitHub makes them. */
const anchors = (page: string) =>
  captured(prose(page), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe.each(pages)('%s', (page) => {
  test('links to what is there', () => {
    for (const link of captured(prose(page), /\]\(((?!https?:)[^)\s]+)\)/g)) {
      const [file, anchor] = link.split('#')
      const target = path.join(path.dirname(page), file || path.basename(page))
      expect(fs.existsSync(target), link).toBe(true)
      if (anchor !== undefined) expect(anchors(target), link).toContain(anchor)
    }
  })

  test('names scripts and commands that are there', () => {
    const { scripts } = JSON.parse(text('package.json'))
    const named = captured(text(page), /(?:npm run|npx shotpress) ([a-z]+)/g)
    expect([...Object.keys(scripts), 'help']).toEqual(expect.arrayContaining(named))
  })
})

test('the README lists every command', () => {
  const commands = glob
    .sync('*.ts', { cwd: 'scripts' })
    .map((file) => path.basename(file, '.ts'))
  const listed = captured(text('README.md'), /^\| `npx shotpress ([a-z]+)/gm)
  expect(listed.toSorted()).toEqual(commands.toSorted())
})

test('all that names a page of docs/ names one that is there', () => {
  for (const file of glob.sync(['scripts/**/*.ts', '.github/**/*.yml'], { dot: true })) {
    for (const name of captured(text(file), /\b(docs\/[a-z/-]+\.md)/g)) {
      expect(fs.existsSync(name), `${file}: ${name}`).toBe(true)
    }
  }
})

// the tables of docs/api.md are made
test.each(['profile', 'shot', 'site'])(
  'docs/content.md explains every key of a %s',
  (name) => {
    const { properties } = JSON.parse(text(`schemas/${name}.schema.json`))
    const cells = captured(text('docs/content.md'), /^\| (`[^|]+`) \|/gm)
    const explained = cells.flatMap((cell) => captured(cell, /`(\w+)`/g))
    expect(explained).toEqual(expect.arrayContaining(Object.keys(properties)))
  },
)

test('the files that docs/content.md shows are right, and can stand side by side', () => {
  const { loadSite, loadProfile, loadShot } = createLoader()
  const shown = captured(
    text('docs/content.md'),
    /^```yaml\n(# yaml-language-server: .*?)^```/gms,
  )
  const [profile, shot, site] = shown.map((text, index) => ({ file: String(index), text }))
  const { value, diagnostics } = loadSite(site!)
  const told = [
    diagnostics,
    loadProfile(profile!, value).diagnostics,
    loadShot(shot!, value).diagnostics,
  ]
  expect(told).toEqual([[], [], []])
})

test('docs/api.md has the headers and bodies of the route table', () => {
  const page = text('docs/api.md')
  const sent = [errors.notFound, errors.methodNotAllowed].flatMap(({ body, headers }) => [
    body.trim(),
    ...Object.values(headers),
  ])
  for (const value of [
    ...sent,
    ...Object.values(okHeaders),
    ...Object.values(preflight.headers),
  ]) {
    expect(page).toContain(value)
  }
})
