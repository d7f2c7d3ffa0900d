declare module 'serve-handler' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  const handler: (
    request: IncomingMessage,
    response: ServerResponse,
    config: object,
    methods?: Readonly<Record<string, unknown>>,
  ) => Promise<void>
  export default handler
}
