import { html } from '../text/html.ts'
import type { Index } from './data.ts'
import { type Gallery, linksFrom, page, type Settings } from './page.ts'

/** How somebody joins, or adds a work, with a browser alone: the repository's own page for a new file, filled in. */
export const joinPage = ({ settings, index }: Gallery): string => {
  const path = '/join/'
  const to = linksFrom(path, settings)
  const { home, host, isFilledIn } = repositoryOf(settings.edit)
  const { member, work } = nextIds(index)
  const profile = newFile(settings, { file: 'members/YOUR-NAME/profile.yaml', text: profileText(member) })
  const shot = newFile(settings, { file: 'members/YOUR-NAME/shots/NAME.yaml', text: workText(work) })
  const copied = isFilledIn
    ? 'Fill in the blanks of the file.'
    : 'Copy this text into the file, and fill in the blanks.'
  const main = html`<h1>Join</h1><p class=text>Every member and every work is a small text file in <a href="${home}">a repository</a> that many people write together. All it takes is an account at ${host}; you need no program.</p><h2>Become a member</h2><ol class=text><li><a class=buy href="${profile}">Write your profile</a><li>Put your username where the file’s name says YOUR-NAME: letters, digits and dashes. ${copied}<pre tabindex=0>${profileText(member)}</pre><li>Propose the change. A check says within minutes whether something is missing, and what to write instead.<li>When it is merged, you are among <a href="${to('/members/')}">the members</a>.</ol><h2>Add a work</h2><ol class=text><li><a class=buy href="${shot}">Write the work’s file</a><li>Put your username and a name for the file into its name. ${copied}<pre tabindex=0>${workText(work)}</pre><li>Propose the change, as above. To change something later, open its file in the repository and press Edit.</ol>`
  return page({ path, title: 'Join', part: path, main }, settings)
}

/** Where a member adds a work; `''` where nothing is known of the repository. */
export const addWorkLink = (username: string, settings: Settings): string =>
  settings.edit === ''
    ? ''
    : newFile(settings, { file: `members/${username}/shots/new-work.yaml`, text: workText('') })

const profileText = (id: string): string => `id: ${id}
name:
# What follows may be left out: remove the # where you say something.
# location: Lisbon, Portugal
# bio: A sentence about you
# website: https://example.com
# skills: [lettering, branding]
`

const workText = (
  id: string,
): string => `${id === '' ? '# A number that no other work has: the gallery’s page Join tells one.\n' : ''}id:${id && ` ${id}`}
title:
# The day it was made: 2026-01-31
date:
# Where the picture is: https://…, or ./picture.png for a file that you upload beside this one
image:
# What follows may be left out: remove the # where you say something.
# alt: What the picture shows, for who can’t see it
# description: A sentence about it
# tags: [poster, lettering]
`

/** One above the highest, as `new` chooses them; ids of more than 15 digits don't count. */
const nextIds = ({ members, newest }: Index): { readonly member: string; readonly work: string } => {
  const next = (ids: readonly string[]): string => {
    let most = 0
    for (const id of ids) if (id.length <= 15 && Number(id) > most) most = Number(id)
    return String(most + 1)
  }
  return { member: next(members.map(({ id }) => id)), work: next(newest.map(({ work }) => work.id)) }
}

/** `https://github.com/OWNER/REPO`, perhaps with `/tree/BRANCH` and the path of the content folder after it. */
const repositoryOf = (edit: string) => {
  const [, home = edit, branch = 'main', folder = 'content'] =
    /^(.*?)(?:\/-)?\/(?:tree|src\/branch)\/([^/]+)(?:\/(.+))?$/.exec(edit) ?? []
  const { host } = new URL(edit)
  // GitLab takes the file's name, but no text any more
  const isGitLab = host.startsWith('gitlab.')
  return { home, host, branch, folder, isGitLab, isFilledIn: !isGitLab }
}

const newFile = (
  { edit }: Pick<Settings, 'edit'>,
  { file, text }: { readonly file: string; readonly text: string },
): string => {
  const { home, host, branch, folder, isGitLab } = repositoryOf(edit)
  const name = `${folder}/${file}`
  if (isGitLab) return `${home}/-/new/${branch}?${new URLSearchParams({ file_name: name })}`
  // Forgejo and Gitea spell it their own way
  const page = host === 'github.com' ? `new/${branch}` : `_new/${branch}/`
  return `${home}/${page}?${new URLSearchParams({ filename: name, value: text })}`
}
