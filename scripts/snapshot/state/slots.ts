import {
  type Encoding,
  encodings,
  filePath,
  type Route,
  routes,
  type Variant,
  variants,
} from '../../api/routes.ts'

/** One of the files that a member can have: a route in a variant, plain or in an encoding. */
export type Slot = {
  readonly route: Route
  readonly variant: Variant
  readonly encoding: Encoding | undefined
  /** What the path has after that of the plain file. */
  readonly suffix: string
}

/** Every slot, in the order of the paths. The position in this table is the slot's number everywhere. */
export const slots: readonly Slot[] = variants.flatMap((variant) =>
  routes.flatMap((route) => [
    { route, variant, encoding: undefined, suffix: '' },
    ...encodings.map(({ name, suffix }) => ({ route, variant, encoding: name, suffix })),
  ]),
)

/** Path of a slot's file below the snapshot's root. */
export const slotPath = (slot: Slot, username: string): string =>
  filePath(slot.route, slot.variant, username) + slot.suffix
