/** Names inside the content folder. A file's stem and its ending, `.yaml` or `.yml`, are read apart. */
export const names = { site: 'site', members: 'members', profile: 'profile', shots: 'shots' } as const

/** Whether a file is one that Shotpress reads, by its ending. */
export const isYaml = (name: string): boolean => name.endsWith('.yaml') || name.endsWith('.yml')

/** Whether an author will think that Shotpress reads it: any letter case counts. */
export const looksLikeYaml = (name: string): boolean => /\.ya?ml$/i.test(name)

/** Whether a file is `<stem>.yaml` or `<stem>.yml`. */
export const hasStem = (name: string, stem: string): boolean =>
  name === `${stem}.yaml` || name === `${stem}.yml`
