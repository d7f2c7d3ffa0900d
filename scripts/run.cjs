#!/usr/bin/env node
// The start of every command: `node scripts/run.cjs build`. Any Node can read this file,
// however old, to say which one is needed.
'use strict'

var needed = require('../package.json').engines.node.replace('>=', '')
var parts = needed.split('.').map(Number)
var version = process.versions.node
var own = version.split('.').map(Number)

if (own[0] > parts[0] || (own[0] === parts[0] && own[1] >= parts[1])) {
  require('./start/start.cjs').start(process.argv.slice(2))
} else {
  console.error('error: Shotpress needs Node %s or newer, this is %s', needed, version)
  console.error('  hint: install a newer Node, then run npm ci')
  process.exitCode = 2
}
