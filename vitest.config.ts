import { defineConfig } from 'vitest/config'
import { countReporter } from './test/count-reporter.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // many tests start processes and servers of their own
    maxWorkers: 2,
    // browsers, stores and servers of others run in many tests: once more where one of them was starved; it is reported
    retry: process.env.CI ? 1 : 0,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: process.env.CI ? ['default', countReporter] : ['default'],
  },
})
