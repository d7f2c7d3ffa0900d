import { defineConfig } from 'vitest/config'
import { countReporter } from './test/count-reporter.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // commands that tests start run as users have them, and in a fifth of the time
    globalSetup: ['test/compile.ts'],
    pool: 'forks',
    // many tests start processes and servers of their own
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: process.env.CI ? ['default', countReporter] : ['default'],
  },
})
