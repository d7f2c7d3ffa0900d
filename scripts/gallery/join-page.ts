import { html } from '../text/html.ts'
import { type Gallery, linksFrom, page, type Settings } from './page.ts'

/** How somebody adds themselves without a clone: the repository's own page for a new file, filled in by the address. */
export const joinPage = ({ settings }: Gallery): string => {
  const path = '/join/'
  const to = linksFrom(path, settings)
  const link = newFileLink(settings.edit, { file: 'members/YOUR-NAME/profile.yaml', text: profileText })
  const main = html`<h1>Join</h1><p class="text">Every member is a small text file that its owner writes. You need an account at ${new URL(settings.edit).host}, and no program.</p><ol class="text"><li><a class="buy" href="${link}">Write your profile</a></li><li>Put your username where the file’s name says YOUR-NAME, fill in what you like, and propose the change.</li><li>A check tells you within minutes whether something is missing. When it is merged, your page is <a href="${to('/members/')}">here</a>.</li></ol>`
  return page({ path, title: 'Join', part: path, main }, settings)
}

const profileText = `id: 1
name: Your Name
location: Where you are
bio: A sentence about you
website: https://example.com
skills: [illustration, lettering]
`

const workText = `id: 1
title: What it is called
date: 2026-01-31
image: https://example.com/picture.png
description: A sentence about it
tags: [poster]
`

/** Where a member adds a work; `''` where nothing is known of the repository. */
export const addWorkLink = (username: string, { edit }: Pick<Settings, 'edit'>): string =>
  edit === '' ? '' : newFileLink(edit, { file: `members/${username}/shots/new-work.yaml`, text: workText })

const newFileLink = (
  edit: string,
  { file, text }: { readonly file: string; readonly text: string },
): string => {
  const query = new URLSearchParams({ filename: `content/${file}`, value: text })
  return `${edit}/new/main?${query}`
}
