import type { Diagnostic, Severity } from './diagnostic.ts'

/** `3 errors, 1 warning in 2 files` */
export const summary = (diagnostics: readonly Diagnostic<string>[]): string => {
  const number = (severity: Severity) => diagnostics.filter((one) => one.severity === severity).length
  const errors = number('error')
  const warnings = number('warning')
  const parts = [
    ...(errors > 0 || warnings === 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ]
  return `${parts.join(', ')} in ${counted(new Set(diagnostics.map((one) => one.file)).size, 'file')}`
}

const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
