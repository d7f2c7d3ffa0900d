import { isHost } from '../../explorer/parts/images.ts'

/** What a person chose, as the browser remembers it. */
export type Choices = {
  /** Hosts whose images may be loaded. */
  readonly images: ReadonlySet<string>
  /** The editor that lines open in; `''` is none. */
  readonly editor: '' | 'vscode'
}

/** Reads the choices from a `Cookie` header; what is not ours, or can't be, is left out. */
export const choicesIn = (header = ''): Choices => {
  const cookies = new Map(
    header.split(';').map((pair): [string, string] => {
      const [name = '', value = ''] = pair.split('=', 2)
      return [name.trim(), value.trim()]
    }),
  )
  return {
    images: new Set((cookies.get(names.images) ?? '').split('|').filter(isHost)),
    editor: cookies.get(names.editor) === 'vscode' ? 'vscode' : '',
  }
}

const names = { images: 'shotpress-images', editor: 'shotpress-editor' } as const

/** The `Set-Cookie` headers that have a browser remember choices for a year; no script and no other site sees them. */
export const cookiesOf = ({ images, editor }: Choices): readonly string[] => [
  cookie(names.images, [...images].sort().join('|')),
  cookie(names.editor, editor),
]

const cookie = (name: string, value: string): string =>
  `${name}=${value}; Path=/; Max-Age=${value === '' ? 0 : 365 * 24 * 60 * 60}; SameSite=Strict; HttpOnly`

/** The choices after somebody pressed a button; `undefined` if the form is none of ours. */
export const choose = (action: string, form: URLSearchParams, choices: Choices): Choices | undefined => {
  const value = form.get('value')
  if (action === '/-/editor') return { ...choices, editor: value === 'vscode' ? 'vscode' : '' }
  const host = form.get('host') ?? ''
  if (action !== '/-/images' || !isHost(host)) return undefined
  const images = new Set(choices.images)
  if (value === 'allow') images.add(host)
  else images.delete(host)
  // a browser keeps 4,096 bytes
  return [...images].join('|').length > 3500 ? undefined : { ...choices, images }
}
