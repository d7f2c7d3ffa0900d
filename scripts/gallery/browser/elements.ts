/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** A new element with these properties. */
export const make = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  about: Partial<HTMLElementTagNameMap[K]>,
) => Object.assign(document.createElement(name), about)
