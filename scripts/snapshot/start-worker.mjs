// A thread starts without the loader of the thread that made it: it gets tsx first, then the TypeScript.
import { register } from 'tsx/esm/api'

register()
await import('./worker.ts')
