import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { onTestFinished } from 'vitest'

/** Mounts a disk of its own, which lives in memory, at a folder until the test ends. */
export const mount = (folder: string, size = '64m') => {
  fs.mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
}

/** Whether this user may: root on Linux. */
export const canMount =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'true']).status === 0
export const needsMount = canMount ? '' : ' (skipped: only root mounts disks)'
