import { hosts } from '../hosts/hosts.ts'
import { amount, grouped } from '../text/amounts.ts'
import type { Signatures } from './signatures.ts'

/** What a deployment asks of a store. */
export type Requests = { readonly writes: number; readonly reads: number; readonly removals: number }

/** What a deployment of so many changes asks of a store; nothing but two reads if there are none. */
export const requestsFor = ({
  upload,
  remove,
  signatures = { asked: 0, fresh: [] },
}: {
  readonly upload: number
  readonly remove: number
  readonly signatures?: Pick<Signatures, 'asked' | 'fresh'>
}): Requests =>
  upload + remove === 0
    ? { writes: signatures.fresh.length, reads: 2 + signatures.asked, removals: 0 }
    : // the marker before, the list and the marker's removal after, and a look at the marker between
      {
        writes: upload + 2 + signatures.fresh.length,
        reads: 3 + signatures.asked,
        removals: remove + 1,
      }

/** US dollars a million, as large stores charge: Amazon S3 5.00 and 0.40, Cloudflare R2 4.50 and 0.36. */
const prices = { writes: 5, reads: 0.4 }

/** `4 writes, 3 reads, 1 removal: less than $0.01` */
export const describeRequests = ({ writes, reads, removals }: Requests): string => {
  const dollars = (writes * prices.writes + reads * prices.reads) / 1e6
  const cost = dollars < 0.01 ? 'less than $0.01' : `about $${dollars.toFixed(2)}`
  return `${amount(writes, 'write')}, ${amount(reads, 'read')}, ${amount(removals, 'removal')}: ${cost}`
}

/** Those of the site's hosts whose limit on files a snapshot of so many is near (from four fifths of it on) or over. */
export const nearLimits = (files: number, names: readonly string[]): readonly string[] =>
  hosts
    .filter(({ name }) => names.includes(name))
    .flatMap(({ title, limits }) => {
      if (limits?.files === undefined || files < limits.files * 0.8) return []
      const over = files > limits.files ? 'more than' : 'near the limit of'
      return [`${amount(files, 'file')}: ${over} ${title} (${grouped(limits.files)})`]
    })
