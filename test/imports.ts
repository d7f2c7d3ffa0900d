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
  /** String literals and the parts of templates, but for the names of modules. */
  readonly texts: readonly string[]
  /** Names that are used and not declared in the file, such as `process`. */
  readonly globals: readonly string[]
  /** Calls and constants of `node:fs`; whether the first argument is called `file`, as an open file is here. */
  readonly files: readonly { readonly name: string; readonly onOpenFile: boolean }[]
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
  const texts: string[] = []
  const files: Module['files'][number][] = []
  const visit = (node: ts.Node): void => {
    const found = importIn(node)
    if (found !== undefined) imports.push(found)
    if (isText(node) && importIn(node.parent) === undefined) texts.push(node.text)
    if (ts.isIdentifier(node)) (isReference(node) ? used : own).add(node.text)
    const use = useOfFiles(node)
    if (use !== undefined) files.push(use)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true))
  return { imports, texts, globals: [...used].filter((name) => !own.has(name)), files }
}

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)

/** `fs.name`, or a name that is imported from `node:fs` by itself. */
const useOfFiles = (node: ts.Node): Module['files'][number] | undefined => {
  if (ts.isImportDeclaration(node) && /^(?:node:)?fs(?:\/promises)?$/.test(literal(node.moduleSpecifier))) {
    const { namedBindings, name } = node.importClause ?? {}
    const whole =
      namedBindings === undefined && name?.text === 'fs' && literal(node.moduleSpecifier) === 'node:fs'
    return whole ? undefined : { name: node.getText(), onOpenFile: false }
  }
  if (!ts.isPropertyAccessExpression(node) && !ts.isQualifiedName(node)) return undefined
  const [left, name] = ts.isQualifiedName(node) ? [node.left, node.right] : [node.expression, node.name]
  if (!ts.isIdentifier(left) || left.text !== 'fs') return undefined
  const call = node.parent
  const [first] = ts.isCallExpression(call) && call.expression === node ? call.arguments : []
  return {
    name: name.text,
    onOpenFile: first !== undefined && ts.isIdentifier(first) && first.text === 'file',
  }
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
