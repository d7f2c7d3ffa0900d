import { noTimestamp, type ShotRecord, type UserRecord } from '../../api/records.ts'
import type { Profile } from '../../content/member.ts'
import type { Work } from './data.ts'

/** What a member's files said when they were right last, as far as the snapshot tells. */
export const earlierProfile = (user: UserRecord, shots: readonly ShotRecord[]): Profile => ({
  ...user,
  skills: words(user.skills),
  aliases: [],
  projects: shots
    .filter(({ created_project }) => created_project !== noTimestamp)
    .map(({ id_project, created_project }) => ({ id: id_project, created: created_project })),
})

/** The same of a shot. */
export const earlierWork = (shot: ShotRecord): Work => ({
  ...shot,
  tags: words(shot.tags),
  draft: false,
})

const words = (list: string): readonly string[] => (list === '' ? [] : list.split(','))
