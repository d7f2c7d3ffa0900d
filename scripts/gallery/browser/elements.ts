/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** A new element with these properties, and what it holds. */
export const make = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  about: Partial<HTMLElementTagNameMap[K]>,
  ...inside: readonly (Node | string)[]
) => {
  const made = Object.assign(document.createElement(name), about)
  made.append(...inside)
  return made
}
