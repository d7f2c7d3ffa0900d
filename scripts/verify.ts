import { setTimeout as sleep } from 'node:timers/promises'
import { main, shared } from './cli/command.ts'
import { loadSite } from './cli/content.ts'
import {
  lookOf,
  type OnProgress,
  status,
  tell,
  withProgress,
  writeResult,
} from './cli/output.ts'
import { openKeys } from './files/signature.ts'
import { parseAddresses } from './http/addresses.ts'
import { createSender } from './http/exchange.ts'
import { hasErrors } from './problems/diagnostic.ts'
import { parseAge } from './verify/publication.ts'
import { reportFormats } from './verify/report.ts'
import { askPatiently, pauseMs, run } from './verify/run.ts'
import { closeLook, openSnapshot } from './verify/snapshot.ts'

/** Requests under way at a time, and how long each may take. */
const concurrency = 8
const timeoutMs = 10_000
/** How long they may take together, in addition to a fifth of a second for each. */
const runLimitMs = 120_000

main({
  name: 'npx shotpress verify',
  summary: 'check from outside whether a running host keeps the contract',
  operands: '[URL [URL]]',
  example: 'https://api.example.com, or the https and the http address',
  options: {
    out: {
      value: 'DIR',
      default: 'dist',
      description: 'folder of the snapshot that the host should serve',
    },
    sample: {
      value: 'N',
      number: { takes: 'a number of members', least: 1, most: 999_999_999 },
      default: String(closeLook),
      description: 'how many members to ask about, the unusual ones first',
    },
    all: { description: 'ask about every member' },
    key: {
      value: 'KEY',
      repeats: true,
      description:
        'public key of ssh, or its file: it should have signed the published.json of the host',
    },
    'max-age': {
      value: 'AGE',
      description:
        'how long ago the host may have been published, by its published.json: 90m, 26h, 2d',
    },
    patience: {
      value: 'MINUTES',
      number: { takes: 'minutes', least: 0, most: 999 },
      default: '0',
      description:
        'ask again for so long, until nothing is wrong: caches may keep a body for five minutes',
    },
    insecure: { description: 'accept any certificate, such as a self-signed one' },
    ...shared('format', 'output'),
    content: {
      ...shared('content').content,
      description: 'without a URL, the base_url of this site is checked',
    },
  },
  notes: [
    'One URL stands for both schemes of that origin. Two URLs are the https and the http one. A URL may have a path, as base_url may.',
    `Of a larger sample, ${closeLook} members get every question; the others are compared with the snapshot only.`,
    'Exit status: 0 no problems (warnings at most), 1 it found problems, 2 it could not check. docs/verify.md explains each cause.',
  ],
  run: async ({ operands, options }) => {
    const format = reportFormats[options.format]
    const size = options.all ? Number.POSITIVE_INFINITY : options.sample
    const keys = options.key.flatMap(openKeys)
    const maxAge = options.maxAge === undefined ? undefined : parseAge(options.maxAge)
    const snapshot = openSnapshot(options.out)
    const site = operands.length === 0 ? loadSite(options.content) : undefined
    const urls = site ? [site.baseUrl] : operands
    const httpsOnly = !snapshot.schemes.includes('http')
    const addresses = parseAddresses(urls, 'verify', { httpsOnly })
    const freshness = keys.length === 0 && maxAge === undefined ? undefined : { keys, maxAge }
    const ask = async (onProgress: OnProgress) => {
      const sender = createSender({
        addresses,
        insecure: options.insecure,
        timeoutMs,
        runLimitMs,
      })
      const asking = {
        addresses,
        snapshot,
        size,
        sender,
        concurrency,
        freshness,
        now: Date.now(),
        onProgress,
      }
      return run(asking).finally(sender.close)
    }
    const report = await askPatiently(() => withProgress('checks', ask), {
      patienceMs: options.patience * 60_000,
      now: () => performance.now(),
      sleep,
      onWait: () => tell(`something is wrong; asking again in ${pauseMs / 60_000} minutes`),
    })
    const text = format(report, { addresses, ...lookOf(process.stdout, options.output) })
    writeResult(text, options.output)
    return hasErrors(report.problems) ? status.no : status.done
  },
})
