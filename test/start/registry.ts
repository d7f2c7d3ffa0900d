import { json } from 'node:stream/consumers'
import { listen } from '../hosts/managed.ts'

/** What npm sends to publish a version, and what it gets when it asks for a package. */
type Packument = {
  readonly name: string
  readonly versions: Readonly<Record<string, { readonly dist: { readonly tarball: string } }>>
  readonly _attachments?: Readonly<Record<string, { readonly data: string }>>
  readonly time?: Readonly<Record<string, string>>
}

/**
 * A registry of this machine: it takes what `npm publish` sends, and gives that to whoever
 * installs it.
 */
export const startRegistry = async () => {
  const packages = new Map<string, Packument>()
  const tarballs = new Map<string, Buffer>()

  const publish = (url: string, sent: Packument) => {
    const { _attachments = {}, ...packument } = sent
    const versions = Object.entries(packument.versions).map(([version, manifest]) => {
      const tarball = `/${sent.name}/-/${sent.name}-${version}.tgz`
      return [version, { ...manifest, dist: { ...manifest.dist, tarball: url + tarball } }]
    })
    for (const [file, { data }] of Object.entries(_attachments))
      tarballs.set(`/${sent.name}/-/${file}`, Buffer.from(data, 'base64'))
    // long ago: pnpm installs nothing that is younger than a day
    const dates = ['created', 'modified', ...Object.keys(packument.versions)].map((key) => [
      key,
      '2026-01-01T00:00:00.000Z',
    ])
    packages.set(sent.name, {
      ...packument,
      versions: Object.fromEntries(versions),
      time: Object.fromEntries(dates),
    })
  }

  const { origin, close } = await listen(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://registry.invalid')
    const url = `http://${request.headers.host}`
    if (request.method === 'PUT') publish(url, (await json(request)) as Packument)
    const found = tarballs.get(pathname) ?? packages.get(pathname.slice(1))
    response.statusCode = found === undefined ? 404 : 200
    response.end(Buffer.isBuffer(found) ? found : JSON.stringify(found ?? {}))
  })
  return { url: origin.origin, stop: close }
}
