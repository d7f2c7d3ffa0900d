declare module 'serve-handler' {
  import type { RequestListener } from 'node:http'

  type Sent = Parameters<RequestListener>
  export default function handler(
    ...args: [...Sent, config: object, methods?: object]
  ): Promise<void>
}
