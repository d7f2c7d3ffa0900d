import { once } from '../content/once.ts'
import {
  type Data,
  isMapping,
  type Mapping,
  mappingOf,
  type Path,
  valueAt,
} from '../content/parse/data.ts'
import { type Breach, type Subschema, schemaAt } from '../content/schema.ts'
import { isUsername } from '../content/username.ts'
import { curlyQuoted } from '../content/values/unlikely.ts'
import type { Args } from '../problems/messages.ts'
import { amount } from '../text/amounts.ts'
import { suggest, suggestOnly, words } from '../text/suggest.ts'
import { choicesFor, meantText } from './choices.ts'
import * as hint from './hint.ts'
import { isOfEntry, otherComment } from './meant.ts'
import {
  formOf,
  isFreeText,
  isMeant,
  isProse,
  type Judged,
  mostAsked,
  spotAt,
  takes,
} from './spot.ts'
import { exampleLine } from './written.ts'

/**
 * What is wrong with keys that the schema doesn't know, and the paths of the missing keys
 * that this explains.
 */
export const wrongKeys = (
  breaches: readonly Breach[],
  missing: readonly Breach[],
  file: Judged,
): readonly WrongKey[] => {
  const all = breaches.map((one, at) =>
    wrongKey(one, missing, { ...file, isAsked: at < mostAsked }),
  )
  return all.map((one) => {
    const { args, path } = one.violation
    if (args.suggestion === undefined) return one
    const alike = all.filter(({ explains: [meant] }) => meant === one.explains[0])
    if (alike.length < 2) return one
    // `first_name` and `last_name`
    const values = alike.map(({ violation }) => valueAt(file.data, violation.path) ?? '')
    const at = [...path.slice(0, -1), args.suggestion]
    // `title_en` and `title_de`
    const isTranslated = alike.every(({ violation }) => /_[a-z]{2}$/.test(violation.args.key))
    const line = isTranslated
      ? hint.instead(values, spotAt(at, file), values)
      : together(values, at, file)
    const whole = line && `${line}, in place of ${amount(alike.length, 'key')}`
    return {
      ...one,
      violation: {
        ...one.violation,
        args: { ...args, line: whole ?? args.line },
        fix: undefined,
      },
    }
  })
}

type WrongKey = ReturnType<typeof wrongKey>

/** Advice to write one value that says what several do, where a key takes that. */
const together = (values: readonly Data[], path: Path, file: Judged) => {
  const spot = spotAt(path, file)
  const isJoined = isFreeText(spot.schema) || spot.schema.items !== undefined
  const isOnce = new Set(values.map(String)).size === values.length
  return isJoined && isOnce ? hint.instead(values, spot) : undefined
}

const wrongKey = ({ path, key = '' }: Breach, missing: readonly Breach[], file: Judged) => {
  const mapping = valueAt(file.data, path) as Mapping
  const { properties = {} } = schemaAt(file.schema, path)
  const known = Object.keys(properties)
  const value = mapping[key] ?? ''
  const fitting = known.filter((one) => takes(properties[one] ?? {}, value))
  const suggestion = file.isAsked
    ? meantKey(bareKey(key), { known, fitting, mapping })
    : undefined
  const lackingHere = missing.filter((other) => other.path.length === path.length)
  const moved = file.isAsked
    ? moveAdvice(key, path, { suggestion, missing, lackingHere, file })
    : undefined
  const said = () =>
    suggestion === undefined
      ? ofNone(key, path, lackingHere, file)
      : ofAnother(key, [...path, suggestion], fitting, file)
  const { fix, ...advice }: Said = file.isAsked ? said() : {}
  const args = {
    ...advice,
    key,
    suggestion,
    known: known.join(', '),
    prose: known.find(isProse),
    line: moved?.line ?? advice.line,
  }
  const violation = {
    code: 'unknown-key',
    args,
    path: [...path, key],
    of: 'key',
    fix: moved === undefined ? fix : undefined,
  } as const
  return {
    violation,
    explains: [[...path, suggestion].join('/'), ...(moved?.explains ?? [])],
  }
}

/** What is said of a key, and by which one it is replaced unasked. */
type Said = Partial<Args<'unknown-key'>> & { readonly fix?: string | undefined }

/** What is said of a key that most likely stands for another, which may be given as well. */
const ofAnother = (key: string, at: Path, fitting: readonly string[], file: Judged): Said => {
  const mapping = mappingOf(valueAt(file.data, at.slice(0, -1)))
  const meant = String(at.at(-1))
  const value = mapping[key] ?? ''
  const other = mapping[meant]
  const spot = spotAt(at, file)
  const isPart = holdsText.test(key)
  // one of two names or titles is right
  const isOne = isPart || spot.schema['x-code'] === 'blank'
  if (other !== undefined)
    return { given: meant, joined: isOne ? undefined : together([other, value], at, file) }
  // quotes of print around a key are meant as those around its value are
  const inside = curlyQuoted.test(key)
    ? curlyQuoted.exec(String(value).replace(/,$/, ''))?.[1]
    : undefined
  const isFine = inside === undefined && isMeant(value, spot)
  // an address may be of the shop, or of anything
  const isWhole = (isName.test(key) && !/^url$/i.test(key)) || words(key).join('_') === meant
  const isSure =
    inside === undefined && isWhole && suggestOnly(bareKey(key), fitting) === meant
  const line = isFine || isPart ? undefined : hint.instead(inside ?? value, spot)
  return {
    line,
    form: isFine || isPart || line || value === '' ? undefined : formOf(spot.schema),
    fix: isSure ? meant : undefined,
  }
}

/**
 * What is said of a key that stands for none: it may be a line of the text above, or its
 * value that of a missing one.
 */
const ofNone = (key: string, path: Path, missing: readonly Breach[], file: Judged): Said => {
  const mapping = mappingOf(valueAt(file.data, path))
  const { properties = {} } = schemaAt(file.schema, path)
  const keys = Object.keys(mapping)
  const above = keys.slice(0, keys.indexOf(key)).findLast((one) => properties[one]) ?? ''
  return {
    text: isProse(above) ? above : undefined,
    perhaps: holdsText.test(key)
      ? undefined
      : perhaps(key, mapping[key] ?? '', missing, file),
  }
}

/**
 * One word without digits, with marks around it: `date 2` and `alt of a label` say more than
 * `date` and `alt`.
 */
const isName = /^[^\p{L}\d]*[\p{L}\p{M}_.-]+[^\p{L}\d]*$/u

/** `twitter = { ana`: a part of the value became one of the key. */
const holdsText = /\p{L}[\s./-]*[^\p{L}\p{M}\p{N}\s_./-].*[\p{L}\p{N}]/su

/**
 * What to do with a key that belongs elsewhere, or is none, and the paths of missing keys
 * that this explains.
 */
const moveAdvice = (
  key: string,
  path: Path,
  about: {
    readonly suggestion: string | undefined
    readonly missing: readonly Breach[]
    readonly lackingHere: readonly Breach[]
    readonly file: Judged
  },
): { readonly line: string; readonly explains: readonly string[] } | undefined => {
  const { suggestion, missing, lackingHere, file } = about
  const mapping = valueAt(file.data, path) as Mapping
  const schema = schemaAt(file.schema, path)
  const inside = mapping[key] ?? ''
  const nested = path.length === 0 ? hint.unnested(inside, schema, mapping) : undefined
  // a key that holds the whole file explains all that is missing there
  const isAlone = Object.keys(mapping).length === 1
  const own = isMapping(inside) && !isAlone ? inside : schema.properties
  if (nested !== undefined) return { line: nested, explains: Object.keys(own ?? {}) }
  // an entry of a list may lack a key that stands below it, at the start of its line
  const lacking = missing.findLast(
    (other) => other.path.length > path.length && other.key === key,
  )
  if (lacking)
    return { line: indented(lacking, file), explains: [[...lacking.path, key].join('/')] }
  const out = ofOther(key, path, file)
  if (out !== undefined) return { line: out, explains: [] }
  // the key that it most likely stands for must be there, and isn't
  const isMissing = lackingHere.some((other) => other.key === suggestion)
  const line =
    lineInstead(key, mapping, schema, file) ??
    (isMissing ? undefined : belowOuter(key, schema))
  if (line !== undefined) return { line, explains: [] }
  const whole = suggestion === undefined ? hint.wholeList(path, file, true) : undefined
  const explains = lackingHere.map((other) => [...path, other.key].join('/'))
  return whole === undefined ? undefined : { line: whole, explains }
}

/**
 * A line for a key that is missing, where the value of an unknown one in any language may be
 * meant for it.
 */
const perhaps = (key: string, value: Data, missing: readonly Breach[], file: Judged) => {
  if (typeof value !== 'string' || /^\d*$/.test(value)) return undefined
  const lines = missing.flatMap(({ path, key: name = '' }) => {
    const spot = spotAt([...path, name], file)
    const isLikely = isFreeText(spot.schema) ? /[^ -~]/.test(key) : /[.:/\d-]/.test(value)
    const better = isLikely ? meantText(value, spot) : undefined
    return better === undefined ? [] : [exampleLine(name, better)]
  })
  // a path or a date is a text as well
  return lines.at(-1)
}

/** Where a key belongs that another one holds: `status`, or as some write it, `defaults.status`. */
const belowOuter = (key: string, { properties = {} }: Subschema) => {
  const inner = key.replace(/^\w+\./, '')
  const outer = Object.keys(properties).find((one) => properties[one]?.properties?.[inner])
  return outer && `put it below "${outer}:", as "${inner}:", indented by two spaces`
}

/**
 * Advice for a key of the file that became one of an entry by its indentation, or the other
 * way round.
 */
const ofOther = (key: string, path: Path, { data, schema, parsed, lines }: Judged) => {
  const isInner = path.length > 0
  if (isInner && schema.properties?.[key] && mappingOf(data)[key] === undefined)
    return 'if it belongs to the file, and not to this entry, begin it at the start of its line; else remove it'
  const { line } = parsed.place([...path, key], 'key')
  const above = lines().slice(Math.max(0, line - 20), line - 1)
  return !isInner && isOfEntry(key, `${above.join('\n')}\n`)
    ? 'begin it with two spaces: it belongs to the entry above'
    : undefined
}

const indented = ({ path }: Breach, { parsed }: Judged) =>
  `begin this line with ${amount(parsed.place(path, 'value').column - 1, 'space')}: it belongs to ${path[0]}`

/** What to do with a key that has its place elsewhere, or is none. */
const lineInstead = (
  key: string,
  mapping: Mapping,
  { properties = {} }: Subschema,
  file: Judged,
) => {
  const value = mapping[key] ?? ''
  if (key === 'draft' && properties.bio)
    return 'remove it: no member is a draft; hide each shot by a line in its own file, draft: true'
  const draft = properties.draft && draftInstead(bareKey(key), value)
  if (draft) return `write ${exampleLine('draft', draft)}`
  const line = withoutText(key, value, properties)
  if (line !== undefined) return line
  const { skills: isProfile } = properties
  const isShot = ['title', 'date', 'image'].every((one) => Object.hasOwn(mapping, one))
  const areShots = typeof value === 'object' && /^(?:shots|works?|portfolio)$/i.test(key)
  if (isProfile && (isShot || areShots)) return ownFile
  const comment = commentIn(key, value, file)
  if (comment) return `write # ${comment}, as "#" begins a comment`
  if (isProfile && networks.test(key)) return placeFor(key, mapping, file)
  return key === 'username' && properties.aliases ? nameOfFolder(value, file) : undefined
}

/** Advice for a key that a part of its text belongs to. */
const withoutText = (key: string, value: Data, properties: Subschema['properties'] = {}) => {
  const [, said = '', rest] = keyAndText.exec(key) ?? []
  const name = said.toLowerCase()
  const inner = properties[name]
  const isAlone = value === ''
  if (!inner || !(isAlone || isFreeText(inner)) || typeof value !== 'string') return undefined
  const whole = isAlone ? `${rest}` : `${rest}: ${value}`
  return `write ${exampleLine(name, whole.replace(inQuotes, '$2'))}`
}

/** What a line says that is a comment in another language. */
const commentIn = (key: string, value: Data, { parsed }: Judged) => {
  const { line, endLine } = parsed.place([key], 'key')
  // in JSON, a key may stand on the line below it
  const typed = endLine > line ? key.replace(/ "\w+"$/, '') : `${key}: ${value}`
  return otherComment.exec(typed)?.[1]
}

const nameOfFolder = (value: Data, { parsed }: Judged) => {
  const isOther =
    typeof value === 'string' &&
    isUsername(value) &&
    !parsed.place([], 'value').file.split('/').includes(value)
  const other = isOther ? `; to change it, rename the folder to ${value}` : ''
  return `remove it: the folder's name is the username${other}`
}

/**
 * A key, and the beginning of a text that goes on behind the colon: `title = "Tea: labels"`,
 * `alt - Tea: three labels`.
 */
const mark = String.raw`[:=]>?|\s(?:-|is)\s|\s(?:text )?(?=["'“„])`
const keyAndText = new RegExp(String.raw`^(\w+)\s*(?:${mark})\s*(\S.*)$`, 'is')
const inQuotes = /^(["'])((?:(?!\1).)*)\1$/s

/** Where the address on a network can go that has no key. */
const placeFor = (key: string, mapping: Mapping, file: Judged) => {
  const spot = spotAt(['website'], file)
  const name = /mastodon|bluesky|bsky|threads/i.test(key) ? 'twitter' : 'website'
  const value = mapping[key] ?? ''
  const choices = mapping[name] ? [] : choicesFor(value, spot)
  const line = hint.instead(value, { ...spot, key: name, mayGo: false }, choices)
  return `${line ?? 'remove it, with its value'}, or say it in bio: it has no key of its own`
}

/** How keys for them begin. */
const networks = new RegExp(
  [
    '^(?:social|e?-?mail|phone|tel|whatsapp|signal|skype|discord|patreon|youtube|vimeo|twitch',
    'insta|behance|linkedin|facebook|dribbble|github|gitlab|pinterest|tumblr|flickr|tiktok',
    'artstation|deviantart|medium|substack|xing|weibo|mastodon|bluesky|bsky|threads|(?:fb|ig|vk)$)',
  ].join('|'),
  'i',
)

const ownFile =
  'move what belongs to a shot to a file of its own: members/<username>/shots/<any name>.yaml'

/**
 * A key without accents, and marks around it; a longer one is no slip in a key, and to look
 * at it would take long.
 */
const bareKey = (key: string) =>
  key.length > 100
    ? ''
    : key
        .replace(/\u001b\[[\d;]*m|[^\p{L}\p{N}\p{M} _/.-]/gu, '')
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')

/**
 * The known key that an unknown one most likely stands for; `fitting` are those that can take
 * a value of its type.
 */
const meantKey = (
  key: string,
  {
    known,
    fitting,
    mapping,
  }: { known: readonly string[]; fitting: readonly string[]; mapping: Mapping },
) => {
  const near = suggest(key, fitting)
  if (near?.toLowerCase() === key.toLowerCase()) return near
  const typed = words(key.replace(/[./]/g, ' '))
  const said = typed.length > 4 ? [] : typed.filter((word) => !filler.has(word))
  const rows = synonymRows().filter(([name]) => known.includes(name))
  const isIn = (row: readonly string[], word: string) =>
    row.some(
      (one) =>
        word === one || (one.length > 3 && (word.startsWith(one) || word.endsWith(one))),
    )
  // all of its words say what it is: `publish_date`, `about me`; or one, or the end of one:
  // `image_2x`, `nickname`
  const whole = rows.filter(
    ([, row]) => said.length > 0 && said.every((word) => row.includes(word)),
  )
  const alike = rows.filter(([, row]) => said.some((word) => isIn(row, word)))
  const sure = [...whole.map(([name]) => name), near ?? ''].filter(Boolean)
  const others = [...alike.map(([name]) => name), suggest(key, known) ?? ''].filter(Boolean)
  const free = (sure.length > 0 ? sure : others).filter(
    (name) => !Object.hasOwn(mapping, name),
  )
  // beside an id, another one is somebody else's; beside a name, a title is what a person does
  const given = key === 'title' ? undefined : sure.find((name) => name !== 'id')
  return free.find((name) => fitting.includes(name)) ?? free[0] ?? given
}

/** Words that say nothing of a key. */
const filler = new Set(
  'the my me of is at in on a an shot work member user profile post item artist display full total number list long short'.split(
    ' ',
  ),
)

/** Other words for keys, in several languages. Of two that fit, the first one counts. */
const synonyms = {
  id: 'id nr no number nummer numero identifier',
  draft: 'draft wip unpublished unlisted hidden private entwurf brouillon borrador',
  created: 'date day created started begun datum fecha',
  date: 'date year day datum fecha data created published publish pub posted time timestamp erstellt 日付 日期 التاريخ تاريخ дата 날짜 dato päivämäärä tarih dátum ημερομηνία дата תאריך दिनांक ngày วันที่ tanggal datums kuupäev تاریخ 발행일 ngay dátumu datuma',
  title:
    'title titel titre titulo titolo heading headline name label nombre nom nome タイトル 題名 标题 標題 العنوان عنوان заголовок название 제목 rubrik overskrift otsikko tytuł název cím başlık τίτλος שם כותרת शीर्षक tiêu đề judul ชื่อ titill назва наслов naslov naziv titlu pavadinimas nosaukums pealkiri заглавие ชื่อเรื่อง tajuk',
  image:
    'image images img picture pic photo foto bild imagen immagine thumbnail thumb screenshot cover file src url path 画像 图片 圖片 الصورة صورة изображение картинка фото 이미지 kuva obraz obrázek kép resim görsel εικόνα תמונה चित्र hình gambar รูป bilde billede afbeelding imagem зображення світлина slika snímek imagine attēls paveikslėlis pilt تصویر afbeeldingen',
  large_image: 'large big full image img picture hires retina original zoom 2x',
  attachment: 'attachment attachments download pdf zip file files anhang',
  tags: 'tags tag skills keywords keyword labels categories category hashtags hashtag topics schlagworter stichworte etiquetas mots cles タグ 标签 標籤 الوسوم وسوم теги метки 태그 étiquettes taggar tunnisteet tagi štítky címkék etiketler ετικέτες תגיות टैग thẻ trefwoorden мітки oznake etichete birkas žymės märksõnad',
  alt: 'alt alternative alttext',
  id_project: 'project projects projekt proyecto projet',
  url_purchased: 'url link shop buy store purchase order',
  price_item:
    'price preis prix precio prezzo cost amount 価格 价格 السعر цена 가격 preço pris hinta cena ár fiyat τιμή מחיר मूल्य giá prijs harga ціна cijena preț kaina hind قیمت currency währung devise moneda valuta valuuta para',
  description:
    'description text body caption about summary content beschreibung descripcion descrizione info 説明 描述 الوصف وصف описание 설명 descrição beskrivning beskrivelse kuvaus opis popis leírás açıklama περιγραφή תיאור विवरण mô tả deskripsi omschrijving опис descriere apraksts aprašymas kirjeldus توضیحات legende bildunterschrift',
  name: 'name username title nombre nom nome names first last 名前 姓名 名字 الاسم اسم имя 이름 namn navn nimi imię jméno név isim adı όνομα नाम tên naam jina імʼя імя име ime nume vardas vārds nama ชื่อ vorname nachname prénom cognome apellido apellidos sobrenome surname lastname firstname',
  bio: 'bio biography description text about summary beschreibung descripcion info 自己紹介 简介 نبذة биография 소개 biografía biografia biographie opis hakkında біо о-мені über-mich',
  location:
    'location city town place country ort stadt lugar lieu ville where based from 場所 地点 الموقع город 위치 localização plats paikka miejsce místo hely konum τοποθεσία מיקום स्थान plaats місто місце град grad miasto lokalizacja oraș localitate ciudad cidade città stad kaupunki város şehir πόλη עיר شهر المدينة مدينة 城市 都市 도시 kota เมือง शहर miestas pilsēta',
  skills:
    'skills abilities tools tags expertise fahigkeiten スキル 技能 المهارات навыки навички umiejętności compétences competenze habilidades competências färdigheter',
  cover_image: 'cover banner header background',
  avatar: 'avatar image img picture pic photo foto bild portrait headshot icon',
  twitter: 'twitter x microblog',
  type_account: 'account type pro premium',
  Likes: 'likes like hearts',
  totalFollowers: 'followers follower fans',
  totalFollowing: 'following follows',
  website:
    'website url link site sitio homepage web blog portfolio ウェブサイト 网站 сайт 웹사이트 hemsida kotisivu strona web honlap ιστοσελίδα אתר вебсайт сайт stránka puslapis vietne',
  aliases: 'alias aliases old former previous names usernames',
  base_url: 'base url api domain origin address',
  assets: 'assets asset cdn media files static images',
  accent: 'colour color farbe couleur',
  lang: 'language locale sprache',
}

const synonymRows = once(() =>
  Object.entries(synonyms).map(([name, row]) => [name, row.split(' ').map(bareKey)] as const),
)

/** Other keys that say whether a shot is shown, and what `draft` is for what they say. */
const publicity = /^(?:is[ _-]?)?(?:publi.*|visib.*|state|online|live)$/i
const draftFor: Readonly<Record<string, string>> = {
  true: 'false',
  yes: 'false',
  public: 'false',
  false: 'true',
  no: 'true',
  private: 'true',
  hidden: 'true',
  draft: 'true',
}

/** What `draft` is to be where a key such as `published` was given instead. */
const draftInstead = (key: string, value: Data) => {
  const said = String(value).toLowerCase()
  return publicity.test(key) && Object.hasOwn(draftFor, said) ? draftFor[said] : undefined
}
