// Runs `serve` with the arguments of this process, for as long as the preview that started it lives: the channel
// between the two closes however the preview ends, by SIGKILL too.
import http from 'node:http'

process.on('disconnect', () => process.exit())
if (!process.connected) process.exit()

// every program and page of this machine can reach the port: only the preview, which made the key, is answered
const { PREVIEW_KEY: key } = process.env
const { createServer } = http
const open = new Set()
http.createServer = (listener) =>
  createServer((request, response) => {
    if (key === undefined || request.headers['preview-key'] !== key) return request.socket.destroy()
    open.add(response)
    response.once('close', () => open.delete(response))
    if (request.method !== 'HEAD') omitLength(response)
    listener(request, response)
  })

// `serve` asks for the length of a file before it opens it: a build may have replaced the file meanwhile
const omitLength = (response) => {
  const { writeHead } = response
  response.writeHead = (status, { 'Content-Length': _, ...headers } = {}) =>
    writeHead.call(response, status, headers)
}

// or removed it, which ends `serve`: break off the answers instead, and the preview asks again
process.on('uncaughtException', (error) => {
  if (open.size === 0) throw error
  for (const response of open) response.destroy()
})

await import('serve/build/main.js')
