import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends the run with `12 passed, 0 failed` on a line of its own; what could not even be run
 * counts as failed.
 */
export const countReporter: Reporter = {
  onTestRunEnd(modules, unhandled) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) =>
      tests.filter((test) => test.result().state === state).length
    const broken =
      unhandled.length + modules.reduce((sum, module) => sum + errorsOf(module), 0)
    process.on('exit', () => {
      process.stdout.write(
        `${count('skipped')} skipped\n${count('passed')} passed, ${count('failed') + broken} failed\n`,
      )
    })
  },
}

/** Errors of a module and its suites outside any test, such as an import that fails. */
const errorsOf = (module: TestModule) =>
  [module, ...module.children.allSuites()].reduce(
    (sum, part) => sum + part.errors().length,
    0,
  )
