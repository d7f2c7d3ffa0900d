import path from 'node:path'
import { onTestFinished } from 'vitest'
import { answerApi } from '../../scripts/preview/answer-api.ts'
import { loadCertificate } from '../../scripts/preview/certificate.ts'
import { createHandler, isPage } from '../../scripts/preview/pages/handle.ts'
import { createPages } from '../../scripts/preview/pages/pages.ts'
import { startServers } from '../../scripts/preview/servers.ts'
import { resolveFolders } from '../../scripts/snapshot/state/folders.ts'
import { schemePorts } from '../preview/previewing.ts'
import { sandbox, type Tree, writeTree } from '../sandbox.ts'
import { buildIn } from '../snapshot/building.ts'

/** A preview inside this process: it builds and shows what is written when it is told. */
export const startSite = async (tree: Tree) => {
  const folder = sandbox(tree)
  const ports = await schemePorts()
  const folders = resolveFolders({ content: `${folder}/content`, out: `${folder}/dist` })
  const pages = createPages({ ...folders, hostNames: [], start: 'test' })
  const { pem } = await loadCertificate({ folder: path.join(folder, 'own'), name: 'localhost.pem' })
  const failures: unknown[] = []
  const answerPage = createHandler(
    { pages, ports, content: folders.content, certificate: undefined },
    Promise.resolve(),
  )
  const servers = await startServers(ports, {
    pem,
    onFailure: (error) => failures.push(error),
    handle: (request, response, asked) =>
      isPage(request.method, asked.path)
        ? answerPage(request, response, asked)
        : answerApi(request, response, { ...asked, variant: asked.scheme, out: folders.out, basePath: '' }),
  })
  onTestFinished(() => servers.close())
  const show = async (files: Tree): Promise<void> => {
    writeTree(folder, files)
    pages.update(await buildIn(folder), 'all')
  }
  await show({})
  return { folder, ports, pages, show, failures, url: `http://localhost:${ports.http}`, folders }
}

export const file = {
  profile: (username: string) => `content/members/${username}/profile.yaml`,
  shot: (username: string, name: string) => `content/members/${username}/shots/${name}.yaml`,
}

const shots = (username: string, count: number): Tree =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      file.shot(username, `work-${at + 1}`),
      `id: ${at + 101}\ntitle: Work ${at + 1}\ndate: 2020-01-${String(at + 1).padStart(2, '0')}\nimage: works/${at + 1}.png\n`,
    ]),
  )

/** Members as pages have to show them: many works, none, a name from right to left, something wrong. */
export const variedSite: Tree = {
  'content/site.yaml': 'base_url: https://api.example.com\nassets: https://cdn.example.com\n',
  [file.profile('ana')]: [
    ...[
      'id: 1',
      'name: Ana Example',
      'location: Lisbon',
      'bio: "Letters.\\nWords."',
      'skills: [type, print]',
    ],
    ...[
      'avatar: ana.png',
      'cover_image: https://images.example.org/ana.jpg',
      'website: https://ana.example.com',
      '',
    ],
  ].join('\n'),
  ...shots('ana', 18),
  [file.shot('ana', 'draft')]:
    'id: 201\ntitle: Unfinished\ndate: 2021-01-01\nimage: a.png\ndraft: true\ntags: [one, two]\nattachment: a.pdf\nprice_item: 5 EUR\n',
  [file.profile('bo')]: 'id: 2\nname: Bo Example\n',
  [file.profile('noor')]: 'id: 3\nname: نور مثال\nlocation: عمّان\nbio: أرسم الحروف.\nskills: [خط]\n',
  [file.shot('noor', 'one')]:
    'id: 301\ntitle: ملصق\ndate: 2020-01-01\nimage: noor.png\nlarge_image: n@2x.png\n',
}

/** The same with mistakes in a work and in a profile. */
export const mistakes: Tree = {
  [file.shot('ana', 'work-18')]: 'id: 118\ntitel: Work 18\ndate: 2020-02-30\nimage: works/18.png\n',
  [file.profile('bo')]: 'id: 2\nname: Bo Example\nwebsite: bo.example.com\n',
}
