import { createReader } from '../../content/read/read-file.ts'
import type { ContentFolder } from '../../content/read/scan.ts'
import type { Problem } from '../../explorer/data/data.ts'
import type { Diagnostic } from '../../problems/diagnostic.ts'

/** Problems with the lines that they are about. Each file is read once. */
export const readProblems = (
  content: ContentFolder,
  diagnostics: readonly Diagnostic[],
): readonly Problem[] => {
  const reader = createReader(content)
  const files = new Map<string, readonly string[]>()
  const linesOf = (file: string): readonly string[] => {
    const lines = files.get(file) ?? readLines(file)
    files.set(file, lines)
    return lines
  }
  const readLines = (file: string): readonly string[] => {
    try {
      return reader(file.slice(content.name.length + 1)).source?.text.split('\n') ?? []
    } catch {
      return [] // gone meanwhile, or a folder
    }
  }
  return diagnostics.map((diagnostic) => ({
    diagnostic,
    line: isWholeFile(diagnostic)
      ? undefined
      : linesOf(diagnostic.file)[diagnostic.line - 1]?.replace(/\r$/, ''),
  }))
}

/** Such as a stray file, whose first line is not to blame. */
const isWholeFile = ({ line, column, endLine, endColumn }: Diagnostic): boolean =>
  line === 1 && column === 1 && endLine === 1 && endColumn === 1
