import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { main, status } from '../scripts/cli/command.ts'
import { UserError } from '../scripts/problems/user-error.ts'
import { count } from './count.ts'
import { shotToEdit } from './shot-to-edit.ts'
import { median, seconds, table } from './table.ts'

main({
  name: 'node --import tsx bench/live.ts',
  summary: 'measure how long somebody who edits waits for the preview',
  options: {
    content: { value: 'DIR', description: 'a content folder that may be changed; its files are put back' },
    out: { value: 'DIR', description: 'a folder for the snapshot' },
    runs: { value: 'N', default: '9', description: 'files saved; figures are their medians' },
    tabs: { value: 'N', default: '20', description: 'pages that are open meanwhile' },
    port: { value: 'PORT', default: '3900', description: 'port for http; the next one is for https' },
  },
  notes: ['An open page asks every 200 ms whether anything is new, and then for itself, as it does here.'],
  run: async ({ options }) => {
    const { content, out } = options
    if (content === undefined || out === undefined) {
      throw new UserError('--content or --out is missing', { hint: 'make a site with bench/generate.ts' })
    }
    const port = count('port', options.port)
    const preview = await start({ content: resolve(content), out: resolve(out), port })
    try {
      const site = `http://localhost:${port}`
      const first = await timed(() => text(`${site}/`))
      const again = await timed(() => text(`${site}/`))
      const shown: number[] = []
      for (let round = 0; round < count('runs', options.runs); round++) {
        shown.push(await save({ content: resolve(content), site, round, tabs: count('tabs', options.tabs) }))
      }
      const rows = [
        ['first page', seconds(first)],
        ['the same again', seconds(again)],
        [`saved to shown in ${options.tabs} tabs`, seconds(median(shown))],
        ['the slowest of them', seconds(Math.max(...shown))],
      ]
      process.stdout.write(table(['', 'time'], rows, [0]))
    } finally {
      preview.kill('SIGTERM')
    }
    return status.done
  },
})

type Place = { readonly content: string; readonly out: string; readonly port: number }

/** Settled when the pages are ready. */
async function start({ content, out, port }: Place) {
  const script = join(import.meta.dirname, '../scripts/run.cjs')
  const flags = ['--content', content, '--out', out, '--http', String(port), '--https', String(port + 1)]
  const child = spawn(process.execPath, [script, 'preview', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((ready, failed) => {
    child.once('exit', () => failed(new Error('the preview has ended')))
    child.stdout.on('data', (data: Buffer) => {
      if (data.includes('Ctrl-C')) ready()
    })
  })
  return child
}

type Saving = {
  readonly content: string
  readonly site: string
  readonly round: number
  readonly tabs: number
}

/** Milliseconds from a saved file to the last page that shows it. */
async function save({ content, site, round, tabs }: Saving): Promise<number> {
  const { file, before, after } = shotToEdit(content, round)
  const [, member] = relative(content, dirname(dirname(file))).split(sep)
  const page = `${site}/members/${member}`
  const open = Array.from({ length: tabs }, () => follow(page, `Edited in round ${round}`))
  await sleep(1000)
  const start = performance.now()
  writeFileSync(file, after)
  const times = await Promise.all(open)
  writeFileSync(file, before)
  await sleep(1500)
  if (times.some((time) => time === undefined)) throw new Error(`${basename(file)} was not shown`)
  return Math.max(...times.map((time) => time! - start))
}

/** An open page; says when it has what was saved, and `undefined` after ten seconds. */
async function follow(page: string, until: string): Promise<number | undefined> {
  let tag = ''
  for (const end = performance.now() + 10_000; performance.now() < end; await sleep(200)) {
    const headers = tag === '' ? {} : { 'If-None-Match': tag }
    const answer = await fetch(new URL('/live', page), { headers })
    await answer.text()
    if (answer.status !== 200) continue
    tag = answer.headers.get('etag') ?? ''
    if ((await text(page)).includes(until)) return performance.now()
  }
  return undefined
}

async function text(url: string): Promise<string> {
  return (await fetch(url)).text()
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await call()
  return performance.now() - start
}
