import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type http from 'node:http'
import { contentType } from '../api/routes.ts'

// What the preview answers with, and how tabs hear of news.

export type Answer = {
  readonly status: number
  readonly headers: http.OutgoingHttpHeaders
  readonly body?: string | Buffer | undefined
}

/** No other site may read, frame or run anything of the preview. */
const guards = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

export const reply = (
  status: number,
  type: string,
  body: string | Buffer,
  headers = {},
): Answer => ({
  status,
  headers: { 'Content-Type': type, ...headers },
  body,
})

export const plain = (status: number, text: string, headers = {}): Answer =>
  reply(status, 'text/plain; charset=utf-8', `${text}\n`, headers)

export const json = (status: number, value: object): Answer =>
  reply(status, contentType, JSON.stringify(value))

/** How fresh pages are. Tabs that show one hear when there is another. */
export class Live {
  /** Changes with each build; `''` before the first. */
  version = ''
  readonly #events = new EventEmitter().setMaxListeners(0)
  #turn: Promise<unknown> = Promise.resolve()

  /** A build is done: pages are another version from now on. */
  built(): void {
    this.version = randomUUID()
    this.#events.emit('built')
  }

  /** Settled with the next build; at the latest after that time. */
  next(mostMs: number): Promise<unknown> {
    return once(this.#events, 'built', { signal: AbortSignal.timeout(mostMs) }).catch(
      () => {},
    )
  }

  /**
   * Runs what is asked for at the same time one after another, each in what the one before
   * has left.
   */
  inTurn<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(run)
    this.#turn = done.catch(() => {})
    return done
  }

  send(response: http.ServerResponse, { status, headers, body = '' }: Answer): void {
    const bytes = Buffer.from(body)
    response.writeHead(status, { ...guards, ...headers, 'Content-Length': bytes.length })
    response.end(bytes)
  }

  /** A tab stays connected until it is hidden or closed. */
  follow(response: http.ServerResponse): void {
    response.writeHead(200, { ...guards, 'Content-Type': 'text/event-stream' })
    const tell = () =>
      response.write(`retry: 1000\nevent: version\ndata: ${this.version}\n\n`)
    tell()
    this.#events.on('built', tell)
    response.on('close', () => this.#events.off('built', tell))
  }
}
