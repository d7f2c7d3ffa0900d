// Takes what the commands print and write today for what is expected from now on. Read the diff like code.
import fs from 'node:fs'
import path from 'node:path'
import { madeTexts } from '../../generate/texts.ts'
import { takeScreenshots } from '../preview/screenshots.ts'
import { expectedFolder, goldens } from './golden.ts'

for (const [name, make] of Object.entries(goldens)) {
  const files = make()
  fs.rmSync(expectedFolder(name), { recursive: true, force: true })
  for (const [file, bytes] of files) {
    const target = path.join(expectedFolder(name), file)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, bytes)
  }
  process.stdout.write(`${name}: ${files.size} files\n`)
}

const root = new URL('../../', import.meta.url)
for (const [file, text] of madeTexts(root)) fs.writeFileSync(new URL(file, root), text)

// no two browsers paint the same bytes, so pictures are taken only where they are asked for
if (process.argv.includes('--pictures')) {
  const taken = await takeScreenshots()
  const told = taken === 0 ? 'left alone, as Chromium is missing' : `${taken} pictures`
  process.stdout.write(`docs/images: ${told}\n`)
}
