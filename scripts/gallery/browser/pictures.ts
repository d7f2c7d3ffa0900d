/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { initialOf, toneOf } from '../words.ts'
import { make } from './elements.ts'

/** Each picture of a place that can't be loaded makes way for a drawing that says the same. */
export const drawDead = (place: Element): void => {
  for (const picture of place.querySelectorAll('img')) {
    const draw = () => picture.replaceWith(drawingFor(picture))
    if (picture.complete && picture.naturalWidth === 0) draw()
    else picture.addEventListener('error', draw)
  }
}

/** The first letter of a person, else a drawing. */
const drawingFor = (picture: HTMLImageElement) => {
  const { alt, src } = picture
  const face = picture.closest('.face')
  const name = picture.closest('a, header')?.querySelector('b, h1')?.textContent ?? ''
  const words = alt === '' ? {} : { role: 'img', ariaLabel: alt }
  if (!face) return make('i', { className: `dead ${toneOf(src)}`, ...words })
  face.classList.add(toneOf(name))
  return make('i', words, initialOf(name))
}
