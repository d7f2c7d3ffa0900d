import { hash } from 'node:crypto'
import path from 'node:path'
import { names, stemOf } from './layout.ts'

/**
 * The id for something new, made from its name, so that two people who add something at the
 * same time, and don't know of each other, take different ones: `<username>` of a member,
 * `<username>/<file name without ending>` of a shot. Of those that are taken, the next free
 * one.
 */
export const proposeId = (
  name: string,
  isTaken: (id: string) => boolean = () => false,
): string => {
  const digest = Number.parseInt(hash('sha256', name.toLowerCase()).slice(0, 8), 16)
  let id = 100_000_000 + (digest % 900_000_000)
  while (isTaken(String(id))) id++
  return String(id)
}

/** The name from which the id of a file's member or shot is made. */
export const nameForId = (file: string): string => {
  const folder = path.posix.dirname(file)
  const stem = stemOf(path.posix.basename(file))
  if (stem === names.profile) return path.posix.basename(folder)
  return `${path.posix.basename(path.posix.dirname(folder))}/${stem}`
}
