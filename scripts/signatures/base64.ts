/** The bytes of canonical base64; `undefined` if it is anything else. Node by itself passes over what it doesn't know. */
export const fromBase64 = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined
}
