import ts from 'typescript'
import { expect, test } from 'vitest'
import { script } from '../../scripts/explorer/script.ts'
import { style } from '../../scripts/explorer/style.ts'

test('the script is JavaScript that a checker of types has nothing against', () => {
  const options: ts.CompilerOptions = {
    ...{ allowJs: true, checkJs: true, noEmit: true, types: [], noImplicitAny: false },
    ...{ target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'] },
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, ...rest) =>
    name === 'explorer.js'
      ? ts.createSourceFile(name, script, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS)
      : getSourceFile(name, ...rest)
  const program = ts.createProgram(['explorer.js'], options, host)
  const told = [
    ...program.getSyntacticDiagnostics(),
    ...program.getSemanticDiagnostics(program.getSourceFile('explorer.js')),
  ]
    // names of properties that only certain elements have are not worth a cast in a script this small
    .filter(({ code }) => ![2339, 2531, 2322, 18047, 2345].includes(code))
    .map(
      ({ messageText, start }) =>
        `${script.slice(0, start).split('\n').length}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  expect(told).toEqual([])
})

test('neither script nor stylesheet names anything elsewhere, or makes markup of text', () => {
  for (const text of [script, style]) expect(text).not.toMatch(/https?:|\/\/[a-z]|@import|url\(/)
  expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function/)
})
