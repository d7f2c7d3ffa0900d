import type { Host } from './host.ts'
import { nginx } from './nginx.ts'

/** Every host that the project knows, in the order in which they are listed. */
export const hosts: readonly Host[] = [nginx]

export const hostNames: readonly string[] = hosts.map((host) => host.name)
