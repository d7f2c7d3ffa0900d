import { unsafe } from './printable.ts'

/** What a text says as JSON; `undefined` if it is none. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value of JSON is an object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * JSON in which every character that a terminal would act on is an escape; line feeds between
 * tokens stay.
 */
export const withoutControls = (text: string): string =>
  text.replace(unsafe, (char) => (char === '\n' ? char : char.replace(/./gs, escapedUnit)))

/** A character as JSON and scripts may write it; a half of a pair by itself. */
export const escapedUnit = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
