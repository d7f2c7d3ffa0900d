import { expect, test } from 'vitest'
import { createLoader } from '../../scripts/advice/loader.ts'
import type { ContentFolder } from '../../scripts/content/layout.ts'
import { readClaims } from '../../scripts/edit/claims.ts'
import { removeHalfWritten, replaceText, tidyFile } from '../../scripts/edit/files.ts'
import { addMember, renameMember } from '../../scripts/edit/members.ts'
import { addShot } from '../../scripts/edit/shots.ts'
import { makeFolder, readTree, sandbox, type Tree } from '../sandbox.ts'
import { site } from '../site.ts'
import { killedAt } from './killing.ts'

const loader = createLoader()
const editing = (content: ContentFolder) => ({
  content,
  loader,
  site: undefined,
  claims: readClaims(content),
})
const profile = { kind: 'profile', below: 'members/ana/profile.yaml' } as const

const verbs: Readonly<Record<string, (content: ContentFolder) => void>> = {
  'new member': (content) => {
    addMember('cy', { id: '3', name: 'Cy' }, editing(content))
  },
  'new shot': (content) => {
    const values = {
      id: '22',
      title: 'New',
      date: '2014-03-02',
      image: 'https://h.example/a.png',
    }
    addShot('members/cleo/shots/new.yaml', values, editing(content))
  },
  rename: (content) => {
    renameMember({ from: 'ana', to: 'zed', alias: true }, editing(content))
  },
  tidy: (content) => {
    const { before = '', text } = tidyFile(content, profile)
    if (text !== undefined) replaceText(content, profile.below, { before, text })
  },
}

/** What Shotpress reads: files that a kill leaves behind begin with a dot. */
const contentOf = (folder: string): Tree =>
  Object.fromEntries(
    Object.entries(readTree(folder)).filter(
      ([file]) => !file.endsWith('/') && !/\/\.[^/]*$/.test(file),
    ),
  )

test.each(Object.entries(verbs))(
  '%s that is killed at any call leaves whole files, and does its work when it is repeated',
  async (_, verb) => {
    const fresh = () => {
      const folder = sandbox({
        ...site,
        'content/members/ana/profile.yaml': 'name: Ana # c\r\nid: 1\r\n',
      })
      makeFolder(folder, 'content/members/cleo')
      return { folder, content: { path: `${folder}/content`, name: 'content' } }
    }
    const old = contentOf(fresh().folder)
    const done = fresh()
    verb(done.content)
    const next = contentOf(done.folder)
    expect(next).not.toEqual(old)
    for (let number = 0; ; number++) {
      const { folder, content } = fresh()
      const killed = await killedAt(number, () => verb(content))
      const found = contentOf(folder)
      const texts = [...Object.values(old), ...Object.values(next)]
      for (const [file, text] of Object.entries(found))
        expect(texts, `${file}, call ${number}`).toContain(text)
      // as each command does before its work
      removeHalfWritten(content, ['ana', 'cleo', 'zed'])
      if (JSON.stringify(contentOf(folder)) !== JSON.stringify(next)) verb(content)
      expect(contentOf(folder), `call ${number}`).toEqual(next)
      if (killed) continue
      expect(number).toBeGreaterThan(1)
      return
    }
  },
)
