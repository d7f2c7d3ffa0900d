import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Edit = { readonly file: string; readonly before: string; readonly after: string }

/** An edit of a published shot that changes the snapshot, another one in every round. */
export const shotToEdit = (content: string, round: number): Edit => {
  const members = readdirSync(join(content, 'members')).sort()
  const begin = (round * 7919) % members.length
  for (const member of [...members.slice(begin), ...members.slice(0, begin)]) {
    const folder = join(content, 'members', member, 'shots')
    const shots = shotsIn(folder)
    const file = join(folder, shots[0] ?? '')
    // Of more than 15 the snapshot might not hold this one.
    if (shots.length === 0 || shots.length > 15) continue
    const before = readFileSync(file, 'utf8')
    const after = before.replace(/^title: [A-Za-z].*$/m, `title: Edited in round ${round}`)
    if (after !== before && !before.includes('\ndraft:')) return { file, before, after }
  }
  throw new Error('no member of the site has a shot that can be edited')
}

const shotsIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
