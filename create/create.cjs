#!/usr/bin/env node
// `npm create shotpress my-site` is `npx shotpress init my-site`.
'use strict'
var path = require('node:path')

process.argv.splice(2, 0, 'init')
require(path.join(path.dirname(require.resolve('shotpress/package.json')), 'scripts/run.cjs'))
