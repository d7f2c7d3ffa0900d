/** A line of YAML that shows an example of a key: `skills: [typography, branding]`. */
export const exampleLine = (key: string, example: unknown): string => `${key}: ${flow(example)}`

/** A value as it can stand inside brackets. */
export const flow = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, item]) => exampleLine(key, item))
      .join(', ')} }`
  }
  return typeof value === 'string' && !plain.test(value) ? JSON.stringify(value) : String(value)
}

/** Text that needs no quotes, also inside brackets. */
const plain = /^(?![-?:,[\]{}#&*!|>'"%@`\s])(?!.*(?:: |:$| #|[,[\]{}]|\s$)).+$/
