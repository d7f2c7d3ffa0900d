import { rowsOf } from '../tables.ts'

/** Pairs of a pattern and a text, a line each. */
const patternsOf = (table: string) =>
  rowsOf(table).map(([pattern, text]) => [new RegExp(pattern), text] as const)

/**
 * What stands for something else when a documented line is tried; `HTTPS` and `HTTP` are a
 * host of the test.
 */
export const substitutions = patternsOf(String.raw`
  https://api\.example\.com http://api\.example\.com → HTTPS HTTP
  https://api\.example\.com → HTTPS HTTP
  https://127\.0\.0\.1:8443 http://127\.0\.0\.1:8080 → HTTPS HTTP
  http://localhost:3000 https://localhost:3443 → HTTP HTTPS
  --output /etc/\S+/ → --output{U+0020}
  --out /srv/\S+/dist --state /srv/\S+ → --out other/dist --state other/state
  \bstore:(?:(?:our-)?bucket|BUCKET)(?:/\w+)?|\bREMOTE\b → ./public
  --shard I/N → --shard 1/1
  "\$CI_NODE_INDEX/\$CI_NODE_TOTAL" --out "shard-\$CI_NODE_INDEX" → 1/1 --out shard-1
  "\$\(\(BUILDKITE_PARALLEL_JOB \+ 1\)\)/\$BUILDKITE_PARALLEL_JOB_COUNT" → 1/1
  ^(npx shotpress merge .*) --out dist\b(.*)$ → $1 --out merged$2
  ^npx shotpress merge DIR…$ → npx shotpress merge only-shard --out merged-one
  \bURL \[URL\]|\[URL \[URL\]\] → HTTPS HTTP
  \[USERNAME…\] → ana
  host (?:NAME\b|\[NAME\]) → host nginx
  \[GLOB…\] → content/members/ana
  \bREV\b → HEAD
  \bCOMMAND$ → check
  \bOLD NEW\b → ana ana-lima
  \bremove USERNAME\b → remove ana
  \b(member|shot) USERNAME$ → $1 new-name --title New
  new shot new-name\b → new shot ana
  new member new-name --title New → new member new-name
  \bshot USERNAME\b → shot ana
  \bshot example-member\b → shot ana
  shots/poster\.yaml → shots/jazz-poster.yaml
  new member ana\b → new member new-name
  "\$FILE" → report.json
`)

/** Lines that end with another status than 0 when they are tried, and why. */
export const statuses: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  'npx shotpress import https://api.example.com': [2, 'nobody was imported before'],
  'npx shotpress import https://api.example.com --prove': [2, 'nobody was imported before'],
  'npx shotpress import https://api.example.com --pictures': [
    2,
    'nobody was imported before',
  ],
  'npx shotpress report': [2, 'takes --base or --from'],
}

/** Lines that are not tried, and why. The first that matches says it. */
export const untried = patternsOf(String.raw`
  ^(?:apt-get|adduser|install|certbot|systemctl|sudo|docker|rsync|ssh){U+0020} → changes or needs a machine of its own
  ^nginx\b → the tests of hosts run the real nginx with such a config
  ^npm (?:ci|cit|create|install|update|run setup)\b → downloads or publishes packages
  ^npm (?:pack|version|run package)\b → test/start/package.slow.test.ts packs; a version is a tag
  ^npm (?:login|publish|stage|trust|view)\b → asks the registry, or changes it
  ^node scripts/start/package → makes what is published
  ^npm (?:test|run test:slow)$|^npx vitest\b|^\.ci/run$ → runs the tests
  ^npm run (?:lint|format|bless)$ → is for the sources, which have tests of their own
  ^(?:npm run|node --import tsx) bench → takes minutes
  ^(?:npm run|npx shotpress) (?:preview|serve)\b → runs until it is ended: test/preview starts it
  ^npx shotpress check .*--watch → runs until it is ended: test/edit/watch.slow.test.ts starts it
  ^npx .*(?:wrangler|netlify-cli|firebase-tools|vercel)[@ ] → publishes to an account
  ^npx serve{U+0020} → runs until it is ended: test/preview starts it
  ^npx shotpress init → test/init.test.ts and test/start/package.slow.test.ts run it
  {U+0020}~/Desktop/ → needs the picture: test/edit has one
  ^node mirror\.js{U+0020} → test/clients/mirror.slow.test.ts runs it
  ^npx shotpress verify .*--key{U+0020} → needs a published.json that is signed: test/verify/publication.test.ts signs one
  ^curl{U+0020} → asks a running preview: test/preview does
  ^git{U+0020} → changes or asks a repository that the reader has
  ^sha256sum{U+0020} → is run in dist: test/golden holds its sums
`)
