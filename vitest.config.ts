import { defineConfig } from 'vitest/config'
import { countReporter } from './test/count-reporter.ts'

/** Tests that compute in their own process only: they share it, and every module is loaded once. */
const pure = [
  'api',
  'advice',
  'content',
  'problems',
  'edit/yaml',
  'pictures',
  'gallery',
  'text',
].map((room) => `test/${room}/**/*.test.ts`)

/** What `npm test` leaves out: browsers, engines, kills, fuzzing, documented lines, the package, Wine. */
const slow = ['test/**/*.slow.test.ts']

/** Commands that tests start run as users have them, and in a fifth of the time. */
const started = { globalSetup: ['test/prepare.ts'], setupFiles: ['test/compiled-copy.ts'] }

export default defineConfig({
  test: {
    pool: 'forks',
    // many tests start processes and servers of their own
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // a second is too short where other processes keep the machine busy
    expect: { poll: { timeout: 30_000 } },
    restoreMocks: true,
    reporters: process.env.CI ? ['default', countReporter] : ['default'],
    projects: [
      { extends: true, test: { name: 'pure', include: pure, exclude: slow, isolate: false } },
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: [...pure, ...slow],
          ...started,
        },
      },
      { extends: true, test: { name: 'slow', include: slow, ...started } },
    ],
  },
})
