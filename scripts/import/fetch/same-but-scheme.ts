/** Whether two bodies differ in nothing but the schemes that their values begin with. */
export const sameButScheme = (https: Uint8Array | undefined, http: Uint8Array | undefined): boolean =>
  https !== undefined && http !== undefined && withoutSchemes(https) === withoutSchemes(http)

/** Servers write a slash as it is, or as `\/`. A quote after a backslash is inside of a value. */
const withoutSchemes = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.length)
    .toString('latin1')
    .replace(/(?<!\\)"https:(?=\/\/|\\\/\\\/)/g, '"http:')
