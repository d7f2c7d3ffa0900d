/** What the tests use of packages that come without types. */

declare module 'falco-js' {
  type Report = {
    readonly Errors: number
    readonly Warnings: number
    readonly LintErrors: object | null
    readonly ParseErrors: object | null
  }
  export const lintText: (vcl: string) => Promise<Report>
}

declare module 'netlify-redirector' {
  type Match = { readonly status: number; readonly to: string; readonly force: boolean }
  type Matcher = { readonly match: (request: object) => Match | undefined }
  export const parseJSON: (rules: string, options: object) => Promise<Matcher>
}

declare module 'superstatic' {
  import type { RequestListener } from 'node:http'

  type Options = {
    readonly cwd: string
    readonly config: object
    readonly fallthrough: boolean
  }
  const superstatic: (
    options: Options,
  ) => (...args: [...Parameters<RequestListener>, () => void]) => void
  export default superstatic
}
