import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import ts from 'typescript'

/** What a module needs of others. */
export type Module = {
  /** Path below scripts/. */
  readonly file: string
  /** As written: `../api/routes.ts`, `node:fs`, `yaml`; `<computed>` for what only a run would tell. */
  readonly imports: readonly { readonly name: string; readonly typeOnly: boolean }[]
  /** Names that are used and not declared in the file, such as `process`. */
  readonly globals: readonly string[]
}

/** Reads every module of a folder. */
export const readModules = (root: string): readonly Module[] =>
  glob.sync('**/*.{ts,mts,cts,js,mjs,cjs}', { cwd: root }).map((file) => ({
    file,
    ...read(fs.readFileSync(path.join(root, file), 'utf8')),
  }))

/** Finds imports of every form in a module's text: the syntax tree has them all, whatever the layout. */
export const read = (text: string): Omit<Module, 'file'> => {
  const imports: { name: string; typeOnly: boolean }[] = []
  const used = new Set<string>()
  const own = new Set<string>()
  const visit = (node: ts.Node): void => {
    const found = importIn(node)
    if (found !== undefined) imports.push(found)
    if (ts.isIdentifier(node)) (isReference(node) ? used : own).add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true))
  return { imports, globals: [...used].filter((name) => !own.has(name)) }
}

const importIn = (node: ts.Node): Module['imports'][number] | undefined => {
  if (ts.isImportDeclaration(node)) {
    return { name: literal(node.moduleSpecifier), typeOnly: isTypeOnly(node.importClause) }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return { name: literal(node.moduleSpecifier), typeOnly: node.isTypeOnly }
  }
  if (ts.isImportTypeNode(node)) {
    const name = ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : computed
    return { name, typeOnly: true }
  }
  if (ts.isExternalModuleReference(node)) return { name: literal(node.expression), typeOnly: false }
  if (!ts.isCallExpression(node)) return undefined
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require'
  return isImport || isRequire ? { name: literal(node.arguments[0]), typeOnly: false } : undefined
}

const isTypeOnly = (clause: ts.ImportClause | undefined): boolean => {
  if (clause === undefined) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const names = clause.namedBindings
  return (
    clause.name === undefined &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.every((one) => one.isTypeOnly)
  )
}

/** Whether a name stands for a value from elsewhere rather than for a property, a key or a declaration. */
const isReference = (node: ts.Identifier): boolean => {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  return ts.isExpression(parent) || ts.isShorthandPropertyAssignment(parent) || ts.isTemplateSpan(parent)
}

const computed = '<computed>'

const literal = (node: ts.Node | undefined): string =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : computed
