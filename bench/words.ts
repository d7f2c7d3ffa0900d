/**
 * What the members of the synthetic site write: short sentences and titles in the languages
 * of a real one.
 */

const listOf = (text: string): readonly string[] => text.trim().split(/;\s+/)
const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/)

/** By language. */
export const sentences: readonly (readonly string[])[] = `
  A first look at the onboarding, three screens and no more.
  The grid has eight columns; everything sits on a four-pixel baseline.
  Part of a #rebranding for a small bakery around the corner.
  I couldn't decide between the two weights, so here's the lighter one.
  The full set has 48 icons at 16, 24 and 32 pixels.

  Ein erster Entwurf für die Startseite, noch ohne Bilder.
  Die Schrift ist eine gezeichnete Grotesk mit großen Öffnungen.
  Über Rückmeldungen zur Lesbarkeit freue ich mich sehr. #typografie
  Alle Farben bestehen den Kontrasttest: Stufe AA und höher.

  Estudo de ícones para um aplicativo de transporte público.
  As cores vêm dos azulejos da estação; o traço é sempre de 2 px.
  Ainda falta a versão escura, que publico na próxima semana. #ui

  Первый набросок плаката для летнего фестиваля.
  Сетка из шести колонок, шрифт нарисован с нуля.
  Буду рад замечаниям о цвете и контрасте. #плакат

  新しいアイコンセットの最初の案です。
  余白を広めに取り、線の太さは二ピクセルに揃えました。
  ご意見をお待ちしています。#デザイン

  새로운 로고의 첫 번째 시안입니다.
  여백을 넓게 잡고 글자를 직접 그렸습니다. #로고

  دراسة أولى لشعار مكتبة صغيرة في المدينة القديمة.
  يسعدني سماع آرائكم.`
  .split(/\n\n/)
  .map((text) => text.trim().split(/\n */))

export const titles = listOf(`
  Onboarding, three screens; Harbour palette; Weather icons; Ticket app: the empty state;
  Bakery rebranding; Poster for a jazz night; Checkout in one step; Type specimen № 7;
  Startseite, zweiter Entwurf; Fahrplan für Fußgänger; Ícones de transporte; Cartaz da feira do livro;
  Плакат летнего фестиваля; 港のアイコン; 새 로고 시안; شعار مكتبة; Dashboard “after hours”; Sticker sheet 🌈; 2014;
  Yes`)

export const givenNames = wordsOf(`
  Ana Bruno Chloé Dmitri Elif Farid Grace Haruka Ivo Jana Kwame Lucía Minh Noor Oskar Priya Rosa Sven
  Tomás Yuki`)

export const familyNames = wordsOf(`
  Almeida Baker Castro Demir Eriksson Fischer García Haddad Ito Jensen Kovács Lindqvist Mensah Nguyễn
  O'Brien Petrova Rossi Schäfer Tanaka Weiß`)

export const places = listOf(`
  Lisbon, Portugal; São Paulo; Wien, Österreich; 東京; Accra, Ghana; Санкт-Петербург; Oakland, CA; Đà Nẵng`)

export const words = wordsOf(`
  icons logo type lettering ui ux web mobile poster print brand-identity illustration animation grid
  colour sketch 3d photography front-end css デザイン tipografía`)
