/**
 * Whether the system has links to files for everybody, pipes with names, signals, and a shell
 * named `sh`.
 */
export const isPosix = process.platform !== 'win32'

/** The title of tests that need {@link isPosix}; where they are skipped it says why. */
export const onPosix = (title: string) =>
  isPosix
    ? title
    : `${title} (skipped: Windows has no links for everybody, no named pipes, no signals)`

/**
 * macOS and Windows take two names that differ in letter case, or in the form of their
 * letters, for one.
 */
export const isLinux = process.platform === 'linux'

/** The title of tests that need something that only Linux has. */
export const onLinux = (title: string, needed: string) =>
  isLinux ? title : `${title} (skipped: only Linux has ${needed})`

/**
 * Whether tests run where everything that they need is installed, so that nothing may be
 * skipped. On other systems than Linux the workflow sets `CI` to an empty text.
 */
export const inCi = Boolean(process.env.CI)
