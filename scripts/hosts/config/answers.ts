import { errors, okHeaders, preflight } from '../../api/routes.ts'

type Headers = Readonly<Record<string, string>>

/** The headers that depend on the status, for engines that choose them by it. */
export const headersByStatus = (varies: boolean): ReadonlyMap<number, Headers> => {
  const ok = varies ? { ...okHeaders, Vary: 'Accept-Encoding' } : okHeaders
  return new Map<number, Headers>([
    [200, ok],
    [preflight.status, preflight.headers],
    [304, ok],
    ...Object.values(errors).map((error): [number, Headers] => [error.status, error.headers]),
  ])
}

/** The same table by header: its value for each status that has it. */
export const statusesByHeader = (varies: boolean): ReadonlyMap<string, ReadonlyMap<number, string>> => {
  const turned = new Map<string, Map<number, string>>()
  for (const [status, headers] of headersByStatus(varies)) {
    for (const [name, value] of Object.entries(headers)) {
      turned.set(name, (turned.get(name) ?? new Map()).set(status, value))
    }
  }
  return turned
}
