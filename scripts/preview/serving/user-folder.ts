import path from 'node:path'

/** A user's own folder for what a program keeps and can make anew, as each system has it. */
export const userFolder = ({
  platform,
  env,
  home,
}: {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}): string => {
  switch (platform) {
    case 'win32':
      return path.win32.join(env.LOCALAPPDATA || path.win32.join(home, 'AppData', 'Local'), 'Shotpress')
    case 'darwin':
      return path.posix.join(home, 'Library', 'Application Support', 'Shotpress')
    default: {
      // the specification of XDG has paths that are not absolute ignored
      const given = env.XDG_STATE_HOME ?? ''
      return path.posix.join(
        given.startsWith('/') ? given : path.posix.join(home, '.local', 'state'),
        'shotpress',
      )
    }
  }
}
