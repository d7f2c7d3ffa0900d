import { ofBranch } from '../content/values/address.ts'
import { html } from '../text/html.ts'
import type { PageOptions, Place } from './page.ts'

/**
 * How somebody joins, or adds a work, with a browser alone: the repository's own page for a
 * new file, filled in.
 */
export const joinPage = (place: Place): PageOptions => {
  const { edit, groups } = place.settings
  const { home, host, folder, page, account, isFilledIn } = forgeOf(edit)
  // the script knows the marks that the links begin with
  const own = groups ? `members/GROUP-${groups}/YOUR-NAME` : 'members/YOUR-NAME'
  const then = (file: string, text: string, label: string) => {
    const filled = isFilledIn && `&value=${encodeURIComponent(text)}`
    const name = encodeURIComponent(`${folder}/${own}/${file}`)
    const link = html`<p><a class=buy href="${page}=${name}${filled}">${label}</a>`
    const words = isFilledIn ? 'What the file says' : 'Copy this text into the file'
    return html`${link}<details${!isFilledIn && html` open`}><summary>${words}</summary><pre>${text}</pre></details>`
  }
  const main = html`<h1>Join</h1>
    <p class=empty>Say who you are, and ${host} opens with your profile ready. You need an account there, and nothing else.</p>
    <form class=join>
    <section><h2>Become a member</h2>${field('name', 'Your name')}
    ${field('username', 'Your username', 'letters, digits and dashes')}
    ${then('profile.yaml', textOfProfile(account), 'Write your profile')}</section>
    <section><h2>Add a work</h2>${field('title', 'Its title')}
    ${field('date', 'The day it was made', '', 'date')}
    ${field('image', 'Its picture', 'https://…, or ./poster.png for a file that you upload')}
    ${then('shots/WORK-NAME.yaml', workText, 'Write the work’s file')}</section>
    </form>
    <h2>What happens next</h2>
    <ol class=steps><li>Propose the change there.
    <li>A check says within minutes whether something is missing, and what to write instead.
    <li>When the change is merged, you are among <a href="${place.to('/members/')}">the members</a>.
    <li>To change something later, open its file in <a href="${home}">the repository</a> and press Edit.</ol>`
  return { title: 'Join', main }
}

const field = (name: string, label: string, hint = '', type = 'text') =>
  html`<p class=field><label for=${name}>${label} <small>${hint}</small></label><input id=${name} name=${name} type=${type} autocomplete=off spellcheck=false></p>`

/** A profile with blanks; `account` is the address that tells the number of an account. */
const textOfProfile = (account: string) => `id:
name:
# What follows may be left out: remove the # where you say something.
# So that it is known whose changes are yours: your account's id, which is at
# ${account}
# owners: [1]
# location: Lisbon, Portugal
# bio: A sentence about you
# website: https://example.com
# skills: [lettering, branding]
`

/** A work with blanks. */
const workText = `id:
title:
# The day it was made: 2026-01-31
date:
# Where the picture is: https://…, or ./picture.png for a file that you upload beside this one
image:
# What follows may be left out: remove the # where you say something.
# alt: What the picture shows, for people who can’t see it
# description: A sentence about it
# tags: [poster, lettering]
`

/**
 * What a forge is like: where it has the repository, its page for a new file, and the id of
 * an account.
 */
const forgeOf = (edit: string) => {
  const [, home = edit, branch = 'main', folder = 'content'] = ofBranch.exec(edit) ?? []
  const { host, origin } = new URL(edit)
  const shared = { home, host, folder, isFilledIn: true }
  if (host === 'github.com') {
    const account = 'https://api.github.com/users/YOUR-ACCOUNT'
    return { ...shared, page: `${home}/new/${branch}?filename`, account }
  }
  if (host.startsWith('gitlab.')) {
    const account = `${origin}/api/v4/users?username=YOUR-ACCOUNT`
    // it takes the file's name, but no text any more
    return {
      ...shared,
      page: `${home}/-/new/${branch}?file_name`,
      account,
      isFilledIn: false,
    }
  }
  // Forgejo and Gitea
  const account = `${origin}/api/v1/users/YOUR-ACCOUNT`
  return { ...shared, page: `${home}/_new/${branch}/?filename`, account }
}
