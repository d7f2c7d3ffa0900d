/** Whether the system has links to files for everybody, pipes with names, signals, and a shell named `sh`. */
export const isPosix = process.platform !== 'win32'

/** The title of tests that need {@link isPosix}; where they are skipped it says why. */
export const onPosix = (title: string): string =>
  isPosix ? title : `${title} (skipped: Windows has no links for everybody, no named pipes, no signals)`
