/**
 * Settled when somebody ends the preview: Ctrl-C, `kill`, a closed terminal. Under npm also when its shell is gone:
 * that dies of the signals that npm sends it, and hands none on. Signals that come later are not heard: the end is
 * under way, and Ctrl-C under npm comes twice.
 */
export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
    // Windows tells all of them of Ctrl-C, and a process the number of its parent even when that is gone
    if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) resolve()
    }, 200).unref()
  })
