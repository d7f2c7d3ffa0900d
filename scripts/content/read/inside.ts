import fs from 'node:fs'
import path from 'node:path'
import { UserError } from '../../problems/user-error.ts'

/**
 * Whether a file that was opened by this path lies inside the content folder: a folder on the way may have been
 * replaced by a link between listing and opening.
 */
export type Inside = (descriptor: number, file: string) => boolean

export const createInside = (root: string): Inside => {
  const proved = createProof(root)
  return (descriptor, file) => (proved === undefined ? noLinkBetween(root, file) : proved(descriptor))
}

/** Whether what is open lies inside, as the system itself says; `undefined` on one that can't say. */
const createProof = (root: string): ((descriptor: number) => boolean) | undefined => {
  let start = realFolder(root)
  if (start === undefined) return undefined
  return (descriptor) => {
    const real = fs.readlinkSync(descriptorPath(descriptor))
    if (start !== undefined && real.startsWith(start)) return true
    start = realFolder(root) // it may have been moved itself
    return start !== undefined && real.startsWith(start)
  }
}

/** Has a folder of the content listed, given by its path: what `list` gets leads to that folder. */
export type Enter = <T>(folder: string, list: (path: string) => T) => T

/** Enters only folders that lie inside, as far as the system can say so. */
export const createEnter = (root: string): Enter => {
  const proved = createProof(root)
  return (folder, list) => {
    if (proved === undefined) {
      const listed = list(folder)
      return noLinkBetween(root, `${folder}/.`) ? listed : refuse(folder)
    }
    const descriptor = openFolder(folder)
    try {
      return proved(descriptor) ? list(descriptorPath(descriptor)) : refuse(folder)
    } finally {
      fs.closeSync(descriptor)
    }
  }
}

/** For a listing that is used only if it equals one that was proved. */
export const enterUnproved: Enter = (folder, list) => list(folder)

const refuse = (folder: string): never => {
  throw new UserError(`${folder} leads out of the content folder`, {
    hint: 'it may have changed meanwhile: check it and run again',
  })
}

/** A folder that is held open, and a path to it that no link can lead elsewhere. */
export type HeldFolder = { readonly path: string; readonly release: () => void }

/**
 * Opens folders of the content, each proved to lie inside; `undefined` if it doesn't, or on a system that has no path
 * to what is open.
 */
export const createHold = (root: string): ((folder: string) => HeldFolder | undefined) => {
  const proved = createProof(root)
  return (folder) => {
    if (proved === undefined) return undefined
    let held: number | undefined
    try {
      held = openFolder(folder)
      if (proved(held)) {
        const descriptor = held
        return { path: descriptorPath(descriptor), release: () => fs.closeSync(descriptor) }
      }
    } catch {
      // whoever opens the file says what is wrong
    }
    if (held !== undefined) fs.closeSync(held)
    return undefined
  }
}

const openFolder = (folder: string): number =>
  fs.openSync(folder, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY)

const descriptorPath = (descriptor: number): string => `/proc/self/fd/${descriptor}`

/** Where Linux says that an open folder is, with a slash at the end; `undefined` on a system that can't say. */
const realFolder = (folder: string): string | undefined => {
  if (process.platform !== 'linux') return undefined
  let descriptor: number | undefined
  try {
    descriptor = openFolder(folder)
    return `${fs.readlinkSync(descriptorPath(descriptor))}/`.replace('//', '/')
  } catch {
    return undefined // as where /proc is not mounted
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor)
  }
}

/** The second best: it doesn't notice a folder that is swapped and put back in time. */
const noLinkBetween = (root: string, file: string): boolean => {
  for (let folder = path.dirname(file); folder.length > root.length; folder = path.dirname(folder)) {
    if (!fs.lstatSync(folder).isDirectory()) return false
  }
  return true
}
