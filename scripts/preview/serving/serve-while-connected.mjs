// Runs `serve` with the arguments of this process, for as long as the preview that started it lives: the channel
// between the two closes however the preview ends, by SIGKILL too.
import http from 'node:http'

process.on('disconnect', () => process.exit())
if (!process.connected) process.exit()

// every program and page of this machine can reach the port: only the preview, which made the key, is answered
const { PREVIEW_KEY: key } = process.env
const { createServer } = http
http.createServer = (listener) =>
  createServer((request, response) =>
    key !== undefined && request.headers['preview-key'] === key
      ? listener(request, response)
      : request.socket.destroy(),
  )

await import('serve/build/main.js')
