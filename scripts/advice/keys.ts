import { once } from '../content/once.ts'
import { type Data, type Mapping, mappingOf, valueAt } from '../content/parse/data.ts'
import { type Breach, type Subschema, schemaAt } from '../content/schema.ts'
import { amount } from '../text/amounts.ts'
import { suggest, suggestOnly, words } from '../text/suggest.ts'
import { exampleLine, isFreeText, type Judged, takes } from './hint.ts'

/** What is wrong with a key that the schema doesn't know, and the paths of the missing keys that this explains. */
export const wrongKey = (
  { path, key = '' }: Breach,
  missing: readonly Breach[],
  file: Judged & { readonly isAsked: boolean },
) => {
  const mapping = valueAt(file.data, path) as Mapping
  const schema = schemaAt(file.schema, path)
  const { properties = {} } = schema
  const known = Object.keys(properties)
  const value = mapping[key] ?? ''
  const fitting = known.filter((one) => takes(properties[one] ?? {}, value))
  const bare = bareKey(key)
  const suggestion = file.isAsked ? meantKey(bare, { known, fitting, mapping }) : undefined
  const given = Object.keys(mapping).find((one) => one === suggestion)
  const nested = path.length === 0 ? unnested(value, schema) : undefined
  // an entry of a list may lack a key that stands below it, at the start of its line
  const lacking = missing.findLast((other) => other.path.length > path.length && other.key === key)
  // the key that it most likely stands for must be there, and isn't
  const isMissing = missing.some(
    (other) => other.path.length === path.length && other.key === suggestion,
  )
  const line =
    nested ??
    (lacking && indented(lacking, file)) ??
    lineInstead(key, mapping, schema) ??
    (isMissing ? undefined : belowOuter(key, schema))
  const args = {
    key,
    suggestion,
    given,
    known: known.join(', '),
    text: suggestion === undefined ? textAbove(key, mapping) : undefined,
    line,
  }
  // `price (EUR)` says more than `price_item`
  const isClear = given === undefined && line === undefined && !/[:()[\]{}<>]/.test(key)
  const fix = isClear && suggestOnly(bare, fitting) === suggestion ? suggestion : undefined
  const lacked = lacking ? [...lacking.path, key].join('/') : ''
  const violation = { code: 'unknown-key', args, path: [...path, key], of: 'key', fix } as const
  return { violation, explains: nested ? known : [[...path, suggestion].join('/'), lacked] }
}

/** The key of a text of several lines that stands right above: the key may be one of its lines. */
const textAbove = (key: string, mapping: Mapping): string | undefined => {
  const keys = Object.keys(mapping)
  const above = keys[keys.indexOf(key) - 1]
  return ['description', 'bio'].find((text) => text === above)
}

const belowOuter = (key: string, { properties = {} }: Subschema): string | undefined => {
  const outer = Object.keys(properties).find((one) => properties[one]?.properties?.[key])
  return outer && `put it below "${outer}:", indented by two spaces`
}

const indented = ({ path }: Breach, { parsed }: Judged): string =>
  `begin this line with ${amount(parsed.place(path, 'value').column - 1, 'space')}: it belongs to ${path[0]}`

/** What to do where all that belongs into a file, or into several, stands below a key that isn't one: `shot:`, `shots:`. */
const unnested = (value: Data, { properties = {} }: Subschema): string | undefined => {
  const [inner, another] = Array.isArray(value) ? value : [value]
  const keys = Object.keys(mappingOf(inner))
  const isShot = ['id', 'title', 'image'].every((key) => keys.includes(key))
  const known = keys.filter((key) => properties[key] !== undefined)
  if (known.length < 2 && !isShot) return undefined
  return another === undefined && known.length > 1
    ? 'remove it, and begin each of the keys that belong to it at the start of a line'
    : 'give each of them a file of its own, in which each key begins a line: members/<username>/shots/<any name>.yaml'
}

/** What to do with a key that has its place elsewhere, or is none. */
const lineInstead = (
  key: string,
  mapping: Mapping,
  { properties = {} }: Subschema,
): string | undefined => {
  const value = mapping[key] ?? ''
  const draft = properties.draft && saysPublished(bareKey(key), value)
  if (draft) return `write ${exampleLine('draft', draft)}`
  const [, name = '', rest] = /^(\w+):\s*(.+)$/.exec(key) ?? []
  const whole = `${rest}: ${value}`
  const inner = properties[name]
  if (inner && isFreeText(inner) && typeof value === 'string')
    return `write ${exampleLine(name, whole)}`
  if (key.startsWith('//')) return 'put # in place of //: a comment begins with "#"'
  return key === 'username' && properties.aliases
    ? "remove it: the folder's name is the username"
    : undefined
}

/** A key without accents, and marks around it; a longer one is no slip in a key, and to look at it would take long. */
const bareKey = (key: string): string =>
  key.length > 100
    ? ''
    : key
        .replace(/<[^>]*>|[^\p{L}\p{N}\p{M} _/.-]/gu, '')
        .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')

/** The known key that an unknown one most likely stands for; `fitting` are those that can take a value of its type. */
const meantKey = (
  key: string,
  {
    known,
    fitting,
    mapping,
  }: { known: readonly string[]; fitting: readonly string[]; mapping: Mapping },
): string | undefined => {
  const near = suggest(key, fitting)
  if (near?.toLowerCase() === key.toLowerCase()) return near
  const typed = words(key.replace(/[./]/g, ' '))
  const said = typed.length > 4 ? [] : typed.filter((word) => !filler.has(word))
  const rows = synonymRows().filter(([name]) => known.includes(name))
  const isIn = (row: readonly string[], word: string): boolean =>
    row.some(
      (one) => word === one || (one.length > 3 && (word.startsWith(one) || word.endsWith(one))),
    )
  // all of its words say what it is: `publish_date`, `about me`; or one, or the end of one: `image_2x`, `nickname`
  const whole = rows.filter(
    ([, row]) => said.length > 0 && said.every((word) => row.includes(word)),
  )
  const alike = rows.filter(([, row]) => said.some((word) => isIn(row, word)))
  const sure = [...whole.map(([name]) => name), near ?? ''].filter(Boolean)
  const others = [...alike.map(([name]) => name), suggest(key, known) ?? ''].filter(Boolean)
  const free = (sure.length > 0 ? sure : others).filter((name) => !Object.hasOwn(mapping, name))
  return free.find((name) => fitting.includes(name)) ?? free[0] ?? sure[0]
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
  draft: 'draft wip unpublished hidden private entwurf brouillon borrador',
  created: 'date day created started begun datum fecha',
  date: 'date day datum fecha data created published publish pub posted time timestamp erstellt 日付 日期 التاريخ تاريخ дата 날짜 dato päivämäärä tarih dátum ημερομηνία дата תאריך दिनांक ngày วันที่ tanggal',
  title:
    'title titel titre titulo titolo heading headline caption name label nombre nom nome タイトル 題名 标题 標題 العنوان عنوان заголовок название 제목 rubrik overskrift otsikko tytuł název cím başlık τίτλος שם כותרת शीर्षक tiêu đề judul ชื่อ titill',
  image:
    'image images img picture pic photo foto bild imagen immagine thumbnail thumb screenshot cover file src url path 画像 图片 圖片 الصورة صورة изображение картинка фото 이미지 kuva obraz obrázek kép resim görsel εικόνα תמונה चित्र hình gambar รูป bilde billede afbeelding imagem',
  large_image: 'large big full image img picture hires retina original zoom 2x',
  attachment: 'attachment attachments download pdf zip file files anhang',
  tags: 'tags tag keywords keyword labels categories category hashtags hashtag topics schlagworter stichworte etiquetas mots cles タグ 标签 標籤 الوسوم وسوم теги метки 태그 étiquettes taggar tunnisteet tagi štítky címkék etiketler ετικέτες תגיות टैग thẻ trefwoorden',
  alt: 'alt alternative alttext',
  url_purchased: 'url link shop buy store purchase order',
  price_item:
    'price preis prix precio prezzo cost amount 価格 价格 السعر цена 가격 preço pris hinta cena ár fiyat τιμή מחיר मूल्य giá prijs harga',
  description:
    'description text body about summary content beschreibung descripcion descrizione notes info 説明 描述 الوصف وصف описание 설명 descrição beskrivning beskrivelse kuvaus opis popis leírás açıklama περιγραφή תיאור विवरण mô tả deskripsi omschrijving',
  name: 'name username title nombre nom nome names first last 名前 姓名 名字 الاسم اسم имя 이름 namn navn nimi imię jméno név isim adı όνομα नाम tên naam jina',
  bio: 'bio biography description text about summary beschreibung descripcion info 自己紹介 简介 نبذة биография 소개 biografía biografia biographie opis hakkında',
  location:
    'location city town place country ort stadt lugar lieu ville where based from 場所 地点 الموقع город 위치 localização plats paikka miejsce místo hely konum τοποθεσία מיקום स्थान plaats',
  skills: 'skills abilities tools tags expertise fahigkeiten スキル 技能 المهارات навыки',
  cover_image: 'cover banner header background',
  avatar: 'avatar image img picture pic photo foto bild portrait headshot icon',
  twitter: 'twitter x microblog mastodon',
  Likes: 'likes like hearts',
  totalFollowers: 'followers follower fans',
  totalFollowing: 'following follows',
  website:
    'website url link site sitio homepage web blog portfolio ウェブサイト 网站 сайт 웹사이트 hemsida kotisivu strona web honlap ιστοσελίδα אתר',
  aliases: 'alias aliases old former previous names usernames',
  base_url: 'base url api domain origin address',
  assets: 'assets asset cdn media files static images',
}

const synonymRows = once(() =>
  Object.entries(synonyms).map(([name, row]) => [name, row.split(' ').map(bareKey)] as const),
)

/** What `draft` is to be where a key such as `published` was given instead. */
const saysPublished = (key: string, value: Data): string | undefined => {
  if (!/^(?:is[ _-]?)?(?:published?|public|visible|online|live)$/i.test(key)) return undefined
  return { true: 'false', yes: 'false', false: 'true', no: 'true' }[String(value).toLowerCase()]
}
