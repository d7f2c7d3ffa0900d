import fs from 'node:fs'
import path from 'node:path'
import {
  type ContentFolder,
  inMember,
  isPicturePath,
  memberFolder,
  names,
  stemOf,
} from '../content/layout.ts'
import { findEntry, findFolder, readFile, statOf } from '../files/folder.ts'
import { mostPictureBytes, type Picture, readPicture } from '../pictures/picture.ts'
import { UserError } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import { type Editing, freeIdFor } from './claims.ts'
import { create, editFile, filesIn, shownPath } from './files.ts'
import { newText } from './new-text.ts'
import type { NewValues } from './yaml/change.ts'
import { shotFileName, takenBy } from './yaml/write.ts'

/**
 * The file of a new shot, whose name no other file there has, whatever its ending; and its
 * id: the one that is wanted, or one made from its name.
 */
export const placeShot = (
  username: string,
  { id: wanted, title }: { readonly id?: string | undefined; readonly title: string },
  { content, claims }: Editing,
) => {
  const below = `${memberFolder(username, content)}/${names.shots}`
  const id = wanted ?? freeIdFor(`${below}/${shotFileName({ id: '', title })}`, claims)
  const folder = findFolder(content.path, below)
  const files = folder === undefined ? [] : fs.readdirSync(folder)
  const name = shotFileName({ id, title }, new Set(files.map(takenBy)))
  return { id, below: `${below}/${name}` }
}

/** Where a new shot's picture goes. */
export const pictureBeside = (below: string, { kind }: Pick<Picture, 'kind'>): string =>
  `${stemOf(below)}.${kind}`

/**
 * Writes a new shot, with a picture beside it if there is one, and raises the total that the
 * profile writes out: all of it or nothing. Says each path below the content folder.
 */
export const addShot = (
  below: string,
  values: NewValues,
  {
    picture,
    ...editing
  }: Editing & { readonly picture?: Pick<Picture, 'kind' | 'cleaned'> | undefined },
): readonly string[] => {
  const { content } = editing
  const beside = picture
    ? [{ below: pictureBeside(below, picture), contents: picture.cleaned }]
    : []
  const own = beside.map((one) => ({ image: `./${path.posix.basename(one.below)}` }))
  const text = newText('shot', { ...values, ...own[0] }, editing)
  const files = [...beside, { below, contents: text }]
  create(files, content)
  const { username } = inMember(below, content)
  return [...files.map((one) => one.below), ...raiseTotal(username, content)]
}

/**
 * The picture on this machine that `--image` names, which must be there then; `undefined` if
 * it names an address, or one that lies beside the shot already.
 */
export const findOwnPicture = (
  image: string,
  { content, below }: { readonly content: ContentFolder; readonly below: string },
): Picture | undefined => {
  if (/^(?:https?:)?\/\//i.test(image)) return undefined
  if (!statOf(image)?.isFile()) {
    const place = path.posix.join(path.posix.dirname(below), image)
    const isBeside = isPicturePath(image) && findEntry(content.path, place) !== undefined
    if (isBeside || !/^(?:~?\/|\.?\.[\\/]|[a-z]:)/i.test(image)) return undefined
    throw new UserError(`there is no file ${quote(image)} on this computer`, {
      hint: isPicturePath(image)
        ? `put it there first, or at ${shownPath(content, place)}`
        : 'write its whole path, or the address of a picture',
    })
  }
  // one's own link may be followed
  const { dir, base } = path.parse(fs.realpathSync(image))
  const bytes = readFile(dir, base, { limit: mostPictureBytes })
  if (bytes === undefined)
    throw new UserError(`${quote(image)} is no plain file of at most 10 MiB`)
  return requirePicture(bytes, quote(image))
}

/**
 * A picture of which a `cleaned` copy may lie in a public repository; what can't be published
 * is refused, by this name.
 */
export const requirePicture = (bytes: Buffer, name: string): Picture => {
  const picture = readPicture(bytes)
  if (!('problem' in picture)) return picture
  const { is, advice } = picture.problem
  throw new UserError(`${name} can't be published: ${is}`, { hint: advice })
}

/**
 * Where a profile writes out how many shots there are, and there are more now, it says the
 * new number. Says its path if so.
 */
export const raiseTotal = (username: string, content: ContentFolder): readonly string[] => {
  const { profile, shots } = filesIn(username, content)
  const totalShots = profile?.facts().totalShots
  if (profile === undefined || totalShots === undefined) return []
  const { length } = shots.filter((shot) => !shot.facts().draft)
  if (BigInt(totalShots) >= length) return []
  editFile(content, profile, { totalShots: String(length) })
  return [profile.below]
}

/** The day on this person's clock. */
export const dayOf = (now: Date): string =>
  new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
