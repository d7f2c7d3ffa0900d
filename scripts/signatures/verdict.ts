/** Whether a key made a signature of these bytes, or why it counts for nothing. */
export type Verdict =
  | 'signed'
  /** It is cut off, or in another format. */
  | 'malformed'
  /** Another key made it. */
  | 'other-key'
  /** It is for another purpose: another namespace of ssh-keygen. */
  | 'other-purpose'
  /** The key did not make it of these bytes: they are newer or older than it, or one of the two was changed. */
  | 'other-bytes'

/** The bytes that should be signed. They may be many: each function reads them as it is called. */
export type Message = {
  /** The hash of the bytes, by its name in node:crypto. */
  readonly hash: (algorithm: 'blake2b512' | 'sha256' | 'sha512') => Buffer
  readonly bytes: () => Buffer
}
