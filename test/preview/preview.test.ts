import { expect, test } from 'vitest'
import { runIn, until } from '../processes.ts'
import { shot, startedPreview } from './previewing.ts'

test('the preview serves, keeps the contract, follows a change and ends', {
  timeout: 180_000,
}, async () => {
  const { get, said, ports, write, saying, kill, ended, folder } = await startedPreview()
  expect(said.stdout).toContain(`  http://127.0.0.1:${ports.http}/api/username/ana\n`)
  expect(said.stdout).toContain(`  https://127.0.0.1:${ports.https}/api/username/ana/shots\n`)
  for (const scheme of ['http', 'https'] as const) {
    const { status, body } = (await get(scheme, '/api/username/ana/shots'))!
    expect(status).toBe(200)
    expect(JSON.parse(body).Shots[0].image).toBe(`${scheme}://api.example.com/assets/one.png`)
    expect((await get(scheme, '/members/ana/'))?.body).toContain('Ana')
    expect((await get(scheme, '/-/preview.js'))?.body).toContain('EventSource')
  }
  const urls = `https://localhost:${ports.https} http://localhost:${ports.http}`
  const { stdout } = runIn(folder, `verify ${urls} --insecure --format json`)
  const found: { severity: string; message: string; file: string }[] = JSON.parse(stdout)
  const errors = found
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message)
  expect(errors).toEqual([expect.stringContaining('(2 requests over https and http)')]) // the page at /
  write({
    [shot('ana')]: 'id: 11\ntitle: Second\ndate: 2024-01-01\nimage: one.png\ntitel: x\n',
  })
  await saying('the last snapshot that was right stays up')
  expect(said.stderr).toContain('error: unknown key "titel" [unknown-key]')
  write({ [shot('ana')]: 'id: 11\ntitle: Second\ndate: 2024-01-01\nimage: one.png\n' })
  await saying('all is well again: 2 members (1 compiled); 3 files written')
  await until(
    () => get('https', '/api/username/ana/shots'),
    (answer) => answer?.body.includes('"Second"') === true,
  )
  kill('SIGINT')
  kill('SIGINT') // as under npm, where Ctrl-C comes twice
  expect(await ended).toBe(process.platform === 'win32' ? 'SIGINT' : 0)
})
