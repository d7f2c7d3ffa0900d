/** What a name may begin with. */
const prefix = '(?:[^\\s<>:]+:)?'
const otherHost = '(?:https?:|(?:[a-z][\\w+.-]*:)?[/\\\\]{2})'

/**
 * What an SVG must not hold, as it may be opened by its own address; a browser would run or
 * load it then.
 */
const unwanted = [
  ['it holds a script', `<${prefix}(?:script|handler|listener)\\b`, '(?:java|vb)script:'],
  [
    'it holds a page',
    `<${prefix}(?:foreignobject|iframe|object|embed)\\b`,
    'data:\\s*(?:text|application)',
    'www\\.w3\\.org/(?:1999/xhtml|1998/Math)',
  ],
  ['it holds an attribute of an event', '[\\s"\'/]on[a-z]+\\s*='],
  [
    'it holds an address of another host',
    `(?:href|src|base|ping)\\s*=\\s*["']\\s*${otherHost}`,
    // of what is moved
    `\\b(?:to|from|by|values)\\s*=\\s*["'][^"']*(?:https?:|[/\\\\]{2})`,
    `(?:(?:url|src|image-set)\\s*\\(|@import)\\s*(?:["']\\s*)?${otherHost}`,
  ],
  ['it loads a style sheet', '<\\?xml-stylesheet', '@import'],
  [
    'it declares entities, in which anything can hide',
    '<!(?:ENTITY|ATTLIST)',
    '&(?:tab|colon|newline);',
  ],
  ['it is not in UTF-8', '[\\0\\ufffd]', 'encoding\\s*=\\s*["\'](?!utf-8["\'])'],
].map(([is, ...any]) => ({ is, any: any.map((pattern) => new RegExp(pattern, 'i')) }))

/** Why a drawing (SVG) must not be published as it is; `undefined` if it may be. */
export const drawingProblem = (bytes: Uint8Array): string | undefined => {
  const text = new TextDecoder().decode(bytes).replace(reference, decoded)
  // browsers pass over these in addresses, and CSS writes letters by their numbers
  const plain = text.replace(/\\([0-9a-f]{1,6})\s?/gi, decoded).replace(/\\(?=[^\\])/g, '')
  const tight = plain.replace(/[\t\r\n]/g, '')
  const holds = (pattern: RegExp) => [text, plain, tight].some((one) => pattern.test(one))
  return unwanted.find(({ any }) => any.some(holds))?.is
}

const reference = /&#x0*([0-9a-f]{1,6});|&#0*(\d{1,7});/gi

/** A letter by its number, hexadecimal or else decimal. */
const decoded = (all: string, hex?: string, decimal?: string) => {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
}
