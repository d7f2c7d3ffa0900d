// Runs `serve` with the arguments of this process, for as long as the preview that started it lives: the channel
// between the two closes however the preview ends, by SIGKILL too.
import { AsyncLocalStorage } from 'node:async_hooks'
import fs from 'node:fs'
import http from 'node:http'

process.on('disconnect', () => process.exit())
if (!process.connected) process.exit()

// every program and page of this machine can reach the port: only the preview, which made the key, is answered
const { PREVIEW_KEY: key } = process.env
const { createServer } = http
const asked = new AsyncLocalStorage()
http.createServer = (listener) =>
  createServer((request, response) => {
    if (key === undefined || request.headers['preview-key'] !== key) return request.socket.destroy()
    omitLength(response)
    asked.run(response, listener, request, response)
  })

// `serve` asks for the length of a file before it opens it: a build may have replaced the file meanwhile
const omitLength = (response) => {
  const { writeHead } = response
  response.writeHead = (status, { 'Content-Length': _, ...headers } = {}) =>
    writeHead.call(response, status, headers)
}

// a build may have removed the file, too. `serve` would end, as it listens for no error: break off the answer instead
const { createReadStream } = fs
fs.createReadStream = (...file) => {
  const response = asked.getStore()
  return createReadStream(...file).on('error', () => response?.destroy())
}

await import('serve/build/main.js')
