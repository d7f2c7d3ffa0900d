import { UserError } from '../../problems/user-error.ts'

/** Why rclone did not do what it was asked to, in plain words, from what it wrote to stderr. */
export const failureOf = (stderr: string, remote: string): UserError => {
  const reason = reasonIn(stderr)
  const known = causes.find(({ sign }) => sign.test(reason))
  if (known === undefined) return new UserError(`rclone failed with "${remote}": ${reason}`, { hint: again })
  return new UserError(`${known.what(remote)} (${reason})`, { hint: known.hint })
}

/** Whether a store says that a file isn't there; a missing bucket is another matter. */
export const saysNothingThere = (stderr: string): boolean => {
  const reason = reasonIn(stderr)
  return absent.test(reason) && !bucket.test(reason)
}

const absent =
  /NoSuchKey|object not found|directory not found|object doesn't exist|BlobNotFound|status code: 404/i
const bucket = /NoSuchBucket|ContainerNotFound|bucket (?:does not|doesn't) exist/i

const again = 'what is published stays as it is; run again to complete it'

const causes: readonly {
  readonly sign: RegExp
  readonly what: (remote: string) => string
  readonly hint: string
}[] = [
  {
    sign: /didn't find section in config file|unknown remote|not found in the config/i,
    what: (remote) => `rclone knows no remote for "${remote}"`,
    hint: 'rclone config makes one, rclone listremotes lists them; a folder is written as ./folder',
  },
  {
    sign: bucket,
    what: (remote) => `there is no such bucket: "${remote}"`,
    hint: 'make the bucket first; a deployment makes none',
  },
  {
    sign: /QuotaExceeded|quota|Insufficient Storage|InsufficientCapacity|StorageFull|no space left|EntityTooLarge|status code: (?:507|413)/i,
    what: (remote) => `there is no room left at "${remote}"`,
    hint: 'make room and run again: what is published stays as it is until then',
  },
  {
    sign: /SlowDown|TooManyRequests|RequestLimitExceeded|ServiceUnavailable|status code: (?:429|503)|\b(?:429|503)\b/i,
    what: (remote) => `"${remote}" has no time for so many requests`,
    hint: 'run again later, perhaps with fewer at a time: set RCLONE_TRANSFERS=4 in the environment',
  },
  {
    sign: /AccessDenied|SignatureDoesNotMatch|InvalidAccessKeyId|Forbidden|Unauthori[sz]ed|AuthenticationFailed|NoCredentialProviders|status code: (?:401|403)/i,
    what: (remote) => `"${remote}" refused the credentials`,
    hint: 'look at the keys and at what they allow: to read, write, list and remove there (without the right to list, S3 says 403 for a file that is missing)',
  },
  {
    sign: /connection refused|no such host|network is unreachable|i\/o timeout|connection reset|TLS handshake|certificate/i,
    what: (remote) => `"${remote}" can't be reached`,
    hint: 'look at the endpoint in rclone config; run again to complete what was begun',
  },
]

/** The first line that says what went wrong; of several attempts the words are the same. */
const reasonIn = (stderr: string): string => {
  const lines = stderr.split('\n').map((line) => line.trim())
  const at = lines.findIndex((line) => /ERROR\s*:|Failed to|CRITICAL|Fatal error|^Error:/.test(line))
  const text = at === -1 ? (lines.find((line) => line !== '') ?? 'no reason given') : lines[at]!
  const status = /status code: \d{3}/.exec(lines.slice(Math.max(0, at), at + 3).join(' '))?.[0]
  const words = text.replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, '').replace(/^ERROR\s*:\s*/, '')
  return status === undefined || words.includes(status) ? words : `${words} ${status}`
}
