import fs from 'node:fs'
import { compiledFile, compileSchemas } from './compile.ts'

fs.writeFileSync(compiledFile, compileSchemas())
