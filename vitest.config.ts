import { defineConfig } from 'vitest/config'
import { countReporter } from './test/count-reporter.ts'

/** Tests that compute in their own process only: they share it, and every module is loaded once. */
const pure = ['api', 'content', 'diagnostics', 'edit/yaml', 'text'].map((room) => `test/${room}/**/*.test.ts`)

export default defineConfig({
  test: {
    pool: 'forks',
    // many tests start processes and servers of their own
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    reporters: process.env.CI ? ['default', countReporter] : ['default'],
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      {
        extends: true,
        test: {
          name: 'rest',
          include: ['test/**/*.test.ts'],
          exclude: pure,
          // commands that tests start run as users have them, and in a fifth of the time
          globalSetup: ['test/prepare.ts'],
          setupFiles: ['test/compiled-copy.ts'],
        },
      },
    ],
  },
})
