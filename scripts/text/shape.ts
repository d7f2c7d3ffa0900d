import { isRecord } from './json.ts'

/**
 * What a value must be: whatever passes a test, a list of such, or a mapping with such values
 * and perhaps others.
 */
export type Shape =
  | ((value: unknown) => boolean)
  | readonly [Shape]
  | { readonly [key: string]: Shape }

/** Whether data of a stranger has a shape. */
export const fits = (value: unknown, shape: Shape): boolean => {
  if (typeof shape === 'function') return shape(value)
  if (isList(shape)) return Array.isArray(value) && value.every((one) => fits(one, shape[0]))
  return (
    isRecord(value) &&
    Object.keys(shape).every((key) => fits(value[key], shape[key] as Shape))
  )
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape)

/** The shape of what may be absent. */
export const optional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || fits(value, shape)

/** The shape of a text that passes a test. */
export const textThat =
  (passes: (text: string) => boolean) =>
  (value: unknown): boolean =>
    typeof value === 'string' && passes(value)

export const isText = textThat(() => true)
export const isDigest = textThat((text) => /^[0-9a-f]{64}$/.test(text))
export const isCount = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0

/** The shape of a mapping whose values all have one, whatever its keys are. */
export const each =
  (shape: Shape): Shape =>
  (value) =>
    isRecord(value) && Object.values(value).every((one) => fits(one, shape))

/** The shape of a mapping with texts at these keys. */
export const texts = (...names: readonly string[]): Readonly<Record<string, Shape>> =>
  Object.fromEntries(names.map((name) => [name, isText]))
