// Until the last branches have landed: test/sandbox.ts, test/site.ts, test/git.ts and building.ts.
export { git } from '../git.ts'
export { readTree, sandbox as makeSandbox, type Tree, writeTree } from '../sandbox.ts'
export { profileYaml, shotYaml, site as smallSite, siteYaml } from '../site.ts'
export { buildIn, cleanBuild } from './building.ts'
