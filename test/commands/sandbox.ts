// Until the last branches have landed: test/sandbox.ts and test/site.ts.
export { sandbox, type Tree, withTimes as snapshotOf, writeTree as write } from '../sandbox.ts'
export { site } from '../site.ts'
