import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { compiledFile, compileSchemas } from '../../schemas/compile.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-schemas-'))
afterAll(() => fs.rmSync(copy, { recursive: true, force: true }))

test('schemas/compiled.cjs is what the schemas give: else run npm run schemas', () => {
  expect(fs.readFileSync(compiledFile, 'utf8') === compileSchemas()).toBe(true)
})

test('a schema that was changed since counts as it is', () => {
  for (const part of ['scripts', 'schemas', 'content', 'package.json']) {
    fs.cpSync(path.join(project, part), path.join(copy, part), { recursive: true })
  }
  fs.symlinkSync(path.join(project, 'node_modules'), path.join(copy, 'node_modules'), 'junction')
  const check = () =>
    spawnSync(process.execPath, ['scripts/run.cjs', 'check', '--format', 'json'], {
      cwd: copy,
      encoding: 'utf8',
    })
  expect(check().status).toBe(0)
  const file = path.join(copy, 'schemas/shot.schema.json')
  const schema = JSON.parse(fs.readFileSync(file, 'utf8'))
  schema.properties.title.pattern = '^nobody has such a title$'
  fs.writeFileSync(file, JSON.stringify(schema))
  const { status, stdout } = check()
  expect(status).toBe(1)
  expect(stdout).toContain('"blank"')
})
