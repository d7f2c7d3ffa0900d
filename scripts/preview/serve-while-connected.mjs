// Runs `serve` with the arguments of this process, for as long as the preview that started it lives: the channel
// between the two closes however the preview ends, by SIGKILL too.
process.on('disconnect', () => process.exit())
if (!process.connected) process.exit()
await import('serve/build/main.js')
