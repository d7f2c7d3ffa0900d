import { describe, expect, test } from 'vitest'
import { createLoader } from '../../scripts/content/load.ts'
import type { Diagnostic } from '../../scripts/problems/diagnostic.ts'
import { mark, unmarked } from './parse/marked.ts'
import { texts } from './parse/mutate.ts'

/**
 * What people type, the place of the one message marked with ‹›; its code; and the words of the hint that correct it,
 * where it offers a correction: a whole line of the file, or what comes in place of the mark. Other mistakes, of names
 * and folders, are in read/strays.test.ts.
 */
type Mistake = readonly [typed: string, code: string, correction?: string]

const shot: Readonly<Record<string, string>> = {
  id: 'id: 11',
  title: 'title: Poster',
  date: 'date: 2024-05-01',
  image: 'image: a.png',
}
const profile: Readonly<Record<string, string>> = { id: 'id: 1', name: 'name: Ana' }
const site: Readonly<Record<string, string>> = { base_url: 'base_url: https://api.example.com' }

/** A whole file: what was typed in place of the key that it was meant for, or below all others. */
const fileOf = (good: Readonly<Record<string, string>>, typed: string, correction = ''): string => {
  const meant = /^\w+$/.test(correction) ? correction : ''
  const keys = [
    ...`${typed.replace(/^‹?- /, '')}\n${meant}`.matchAll(
      /^[^\p{L}\n-]*([A-Za-z_]+)[^\p{L}\n]*?(?:[:：=,\t]|$)/gmu,
    ),
  ].map(([, key]) => key!.toLowerCase())
  const others = Object.entries(good).filter(([key]) => !keys.includes(key))
  return `${[...others.map(([, line]) => line), typed].join('\n')}\n`
}

const hostNames = [
  { name: 'netlify' },
  { name: 'cloudflare' },
  { name: 'cloudflare-r2', instead: 'print it' },
]
const { loadProfile, loadShot, loadSite } = createLoader({ hostNames })

const tables = {
  shot: { good: shot, load: (text: string) => loadShot({ file: 'x.yaml', text }, portless) },
  profile: { good: profile, load: (text: string) => loadProfile({ file: 'x.yaml', text }, portless) },
  site: { good: site, load: (text: string) => loadSite({ file: 'x.yaml', text }) },
} as const

const portless = loadSite({ file: 'site.yaml', text: `${site.base_url}\n` }).value

/** Keys under other names, apart from each other by bars, each with a value that the right key takes. */
const otherNames = (key: string, value: string, others: string): readonly Mistake[] =>
  texts(others).map((name) => [`‹${name}›: ${value}`, 'unknown-key', key])

const mistakes: Readonly<Record<keyof typeof tables, readonly Mistake[]>> = {
  shot: [
    // ids and counts
    ['id: ‹042›', 'bad-id', 'id: 42'],
    ['id: ‹"#12"›', 'bad-id', 'id: 12'],
    ['id: ‹#12›', 'no-value', 'id: 12'],
    ['id: ‹12.0›', 'bad-id', 'id: 12'],
    ['id: ‹+12›', 'bad-id', 'id: 12'],
    ['id: ‹12;›', 'bad-id', 'id: 12'],
    ['id: ‹12,›', 'bad-id', 'id: 12'],
    ['id: ‹1,234›', 'bad-id', 'id: 1234'],
    ['id: ‹１２›', 'bad-id', 'id: 12'],
    ['id: ‹12\u00a0›', 'bad-id', 'id: 12'],
    ['id: ‹0›', 'bad-id'],
    ['id: ‹-3›', 'bad-id'],
    ['id: ‹twelve›', 'bad-id'],
    ['id: ‹shot-12›', 'bad-id'],
    ['status: ‹1.0›', 'bad-count', 'status: 1'],
    ['status: ‹published›', 'bad-count'],
    // text
    ['title: ‹#1 poster›', 'no-value', 'title: "#1 poster"'],
    ['title: Poster ‹#1›', 'cut-by-comment', 'title: "Poster #1"'],
    ['price_item: 5 EUR ‹#sale›', 'cut-by-comment', 'price_item: "5 EUR #sale"'],
    ['title: ‹&Co›', 'no-value', 'title: "&Co"'],
    ['title: ‹& Co›', 'yaml-syntax', 'title: "& Co"'],
    ['title: ‹*star*›', 'unknown-alias', '"*star*"'],
    ['title: ‹*star* shot›', 'yaml-syntax', 'title: "*star* shot"'],
    ['title: ‹!important› Poster', 'bad-tag'],
    ['title: !!str ‹{a: b}›', 'wrong-type'],
    ['title: ‹@ana›', 'yaml-syntax', 'title: "@ana"'],
    ['title: ‹`code`›', 'yaml-syntax', 'title: "`code`"'],
    ['title: ‹%20›', 'yaml-syntax', 'title: "%20"'],
    ['title: ‹? what›', 'yaml-syntax', 'title: "? what"'],
    ['title: ‹Jazz: the sketch›', 'yaml-syntax', 'title: "Jazz: the sketch"'],
    ['title: ‹“Jazz”: the sketch›', 'yaml-syntax', 'title: "“Jazz”: the sketch"'],
    ['title: ‹[WIP]›', 'wrong-type', 'title: WIP'],
    ['id: ‹[12]›', 'wrong-type', 'id: 12'],
    ['id: ‹[12, 13]›', 'wrong-type'],
    ['date: ‹[2014-03-02]›', 'wrong-type', 'date: 2014-03-02'],
    ['draft: ‹[true]›', 'wrong-type', 'draft: true'],
    ['image: ‹[a.png]›', 'wrong-type', 'image: a.png'],
    ['image: ‹[../a.png]›', 'wrong-type'],
    ['token_id: ‹[]›', 'wrong-type'],
    ['title: [WIP] ‹Poster›', 'yaml-syntax', 'title: "[WIP] Poster"'],
    ['title: ‹"Poster›', 'yaml-syntax'],
    ["title: ‹'Poster›", 'yaml-syntax'],
    ["title: 'It'‹s'›", 'yaml-syntax'],
    ['title: "a" ‹and "b"›', 'yaml-syntax'],
    ['title: "Poster"‹,›', 'yaml-syntax'],
    ['title: "Poster"‹;›', 'yaml-syntax'],
    ['title: "caf‹\\›u00e"', 'yaml-syntax'],
    ['title: "C:‹\\›posters"', 'yaml-syntax'],
    ['title: ‹""›', 'blank'],
    ['title: ‹"   "›', 'blank'],
    ['title: ‹> Poster›', 'yaml-syntax'],
    ['title: ‹|Poster›', 'yaml-syntax'],
    ['title: ‹- Poster›', 'yaml-syntax'],
    ['title: ‹{Poster›', 'yaml-syntax'],
    ['title: ‹{ Poster: a }›', 'wrong-type'],
    ['title: ‹!x› Poster', 'bad-tag'],
    ['title: ‹"Poster\\0"›', 'bad-character'],
    ['description: "one\n‹two"›', 'yaml-syntax'],
    ["description: 'one\n‹two'›", 'yaml-syntax'],
    ['description: |\n  one\n‹two›', 'yaml-syntax'],
    ['description: |\n  one\n\t‹two›', 'yaml-syntax'],
    ['description: one\n‹\t›two', 'yaml-syntax'],
    ['description: one\n  # a comment\n  ‹two›', 'yaml-syntax'],
    ['description: one\n‹two›', 'yaml-syntax'],
    // keys
    ['‹colour›: red', 'unknown-key'],
    ['‹title:Poster›', 'yaml-syntax', 'title: Poster'],
    ['‹title：Poster›', 'yaml-syntax', 'title: Poster'],
    ['‹title:\u00a0Poster›', 'yaml-syntax', 'title: Poster'],
    ['‹title = Poster›', 'yaml-syntax', 'title: Poster'],
    ['‹"title: Poster"›', 'yaml-syntax', 'title: Poster'],
    ['‹title Poster›', 'yaml-syntax'],
    ['title: Poster\n‹title›: Other', 'duplicate-key'],
    ['  ‹status: 1›', 'yaml-syntax'],
    ['‹\t›status: 1', 'yaml-syntax'],
    // dates
    ['date: ‹10.01.2024›', 'bad-timestamp', 'date: 2024-01-10'],
    ['date: ‹2024-1-10›', 'bad-timestamp', 'date: 2024-01-10'],
    ['date: ‹2024/01/10›', 'bad-timestamp', 'date: 2024-01-10'],
    ['date: ‹2024.01.10›', 'bad-timestamp', 'date: 2024-01-10'],
    ['date: ‹20240110›', 'bad-timestamp', 'date: 2024-01-10'],
    ['date: ‹13/01/2024›', 'bad-timestamp', 'date: 2024-01-13'],
    ['date: ‹01/13/2024›', 'bad-timestamp', 'date: 2024-01-13'],
    ['date: ‹10/01/2024›', 'bad-timestamp'],
    ['date: ‹2024-01-10 18:30›', 'bad-timestamp', 'date: 2024-01-10 18:30:00'],
    ['date: ‹2024-01-10T18:30:00›', 'bad-timestamp', 'date: 2024-01-10 18:30:00'],
    ['date: ‹2024-01-10T18:30:00.000Z›', 'bad-timestamp', 'date: 2024-01-10 18:30:00'],
    ['date: ‹2024-01-10, 6:30 pm›', 'bad-timestamp', 'date: 2024-01-10 18:30:00'],
    ['date: ‹Jan 10, 2024›', 'bad-timestamp', 'date: 2024-01-10'],
    ['date: ‹10 January 2024›', 'bad-timestamp', 'date: 2024-01-10'],
    ['date: ‹2024-01-10T18:30:00+02:00›', 'bad-timestamp'],
    ['date: ‹2024-02-30›', 'bad-timestamp'],
    ['date: ‹2024-13-01›', 'bad-timestamp'],
    ['date: ‹2024-01-10 24:00:00›', 'bad-timestamp'],
    ['date: ‹2024›', 'bad-timestamp'],
    ['date: ‹yesterday›', 'bad-timestamp'],
    // assets and addresses
    ['image: ‹shots\\lena\\x.png›', 'bad-asset', 'image: shots/lena/x.png'],
    ['image: ‹poster 1.png›', 'bad-asset', 'image: poster%201.png'],
    ['image: ‹/x.png›', 'bad-asset', 'image: x.png'],
    ['attachment: ‹./x.png›', 'bad-asset', 'attachment: x.png'],
    ['image: ‹./../x.png›', 'bad-asset'],
    ['image: ‹.\\x.png›', 'bad-asset', 'image: ./x.png'],
    ['alt: ‹"  "›', 'blank'],
    ['image: ‹https:/a.example/x.png›', 'bad-asset', 'image: https://a.example/x.png'],
    ['image: ‹../x.png›', 'bad-asset'],
    ['image: ‹C:\\Pictures\\x.png›', 'bad-asset'],
    ['image: ‹file:///home/x.png›', 'bad-asset'],
    ['image: ‹https://a.example:8443/x.png›', 'bad-asset'],
    ['image: ‹""›', 'bad-asset'],
    ['url_purchased: ‹shop.example.com/1›', 'bad-url', 'url_purchased: https://shop.example.com/1'],
    ['url_purchased: ‹ftp://shop.example.com›', 'bad-url'],
    // lists
    ['tags: ‹poster, print›', 'wrong-type', 'tags: [poster, print]'],
    ['tags: ‹poster; print›', 'wrong-type', 'tags: [poster, print]'],
    ['tags: ‹poster print›', 'wrong-type', 'tags: [poster, print]'],
    ['tags: ‹poster, 🐙, 🇪🇺 - &›', 'wrong-type', 'tags: [poster, 🐙, 🇪🇺---&]'],
    ['tags: ‹poster 🐙 🇪🇺 -›', 'wrong-type', 'tags: [poster, 🐙, 🇪🇺]'],
    ['tags: ‹jazz night, poster›', 'wrong-type', 'tags: [jazz-night, poster]'],
    ['tags: ‹poster›', 'wrong-type', 'tags: [poster]'],
    ['tags: ‹poster, print]›', 'wrong-type', 'tags: [poster, print]'],
    ['tags: ‹"#poster #print"›', 'wrong-type', 'tags: [poster, print]'],
    ['tags: ‹[#poster]›', 'yaml-syntax', 'tags: [poster]'],
    ['tags: ‹[poster, #print]›', 'yaml-syntax', 'tags: [poster, print]'],
    ['tags:\n  - ‹#poster›', 'no-value', '- poster'],
    ['tags: [‹poster; print›]', 'bad-word', 'poster, print'],
    ['tags: [‹jazz night›]', 'bad-word', 'jazz-night'],
    ['tags: [‹a - b›]', 'bad-word'],
    ['tags: [‹"poster "›]', 'bad-word', 'poster'],
    ['tags: [‹""›, a]', 'bad-word'],
    ['tags: [‹jazz\u00a0night›]', 'bad-word', 'jazz-night'],
    ['tags: ‹[poster›', 'yaml-syntax'],
    ['tags: [a,‹,› b]', 'yaml-syntax'],
    ['tags: [a,\n‹b]›', 'yaml-syntax'],
    ['tags: ‹- a›\n- b', 'yaml-syntax'],
    ['tags:\n  - ‹a\n    - b›', 'bad-word'],
    ['tags:\n  - a\n ‹- b›', 'yaml-syntax'],
    ['tags:\n  ‹-a\n  -b›', 'wrong-type', 'tags: [a, b]'],
    ['tags: ‹{ a: b }›', 'wrong-type'],
    ['‹// tea "status"›: 1', 'unknown-key', 'put # in place of //'],
    ['date: ‹24-05-01›', 'bad-timestamp', 'date: 2024-05-01'],
    ['date: ‹1714521600›', 'bad-timestamp', 'date: 2024-05-01 00:00:00'],
    ['url_purchased: ‹https: //shop.example.com›', 'yaml-syntax', 'https://shop.example.com'],
    [
      'image: ‹https://ana:secret@cdn.example.com/tea.png›',
      'bad-asset',
      'image: https://cdn.example.com/tea.png',
    ],
    ['image: ‹https://cdn.example.com:8443/tea.png›', 'bad-asset', 'image: https://cdn.example.com/tea.png'],
    ['id_project: ‹Labels›', 'bad-id', 'leave id_project out'],
    // what hints are obeyed for
    ['tags: ‹#poster #tea›', 'cut-by-comment', 'tags: [poster, tea]'],
    ['id_project: ‹#0›', 'cut-by-comment', 'id_project: 0'],
    ['price_item: ‹#12›', 'cut-by-comment', 'price_item: "#12"'],
    ['price_item: ‹&5›', 'cut-by-comment', 'price_item: "&5"'],
    ['id: 7 ‹#3›', 'cut-by-comment'],
    ['tags: ‹(poster, tea)›', 'wrong-type', 'tags: [poster, tea]'],
    ['tags: ‹{poster, tea}›', 'wrong-type', 'tags: [poster, tea]'],
    ['tags: [‹[poster, tea]›]', 'wrong-type', 'tags: [poster, tea]'],
    ['tags:\n  ‹* poster›\n  * tea', 'yaml-syntax'],
    ['tags: [‹“poster”›]', 'unlikely-value', 'poster'],
    ['image: ‹“shots/tea.png”›', 'unlikely-value', 'image: shots/tea.png'],
    ['image: ‹www.example.com/tea.png›', 'unlikely-value', 'image: https://www.example.com/tea.png'],
    ['image: ‹cdn.example.com/tea.png›', 'unlikely-value', 'image: https://cdn.example.com/tea.png'],
    ['image: ‹https//example.com/tea.png›', 'unlikely-value', 'image: https://example.com/tea.png'],
    ['image: ‹shots/tea.png,›', 'unlikely-value', 'image: shots/tea.png'],
    ['image: ‹![tea](shots/tea.png)›', 'yaml-syntax', 'image: shots/tea.png'],
    ['image: ‹<img src="tea.png">›', 'bad-asset', 'image: tea.png'],
    ['large_image: ‹none›', 'unlikely-value', 'leave large_image out'],
    ['date: ‹0024-05-01›', 'unlikely-value', 'date: 2024-05-01'],
    ['date: ‹3024-05-01›', 'unlikely-value', 'date: 2024-05-01'],
    ['date: ‹10. Januar 2024›', 'bad-timestamp', 'date: 2024-01-10'],
    ['date: ‹May 2024›', 'bad-timestamp', 'date: 2024-05-01'],
    ['date: ‹2024-01-10T20:30:00+02:00›', 'bad-timestamp', 'date: 2024-01-10 18:30:00'],
    ['title: ‹[Tea poster]›', 'wrong-type', 'title: Tea poster'],
    ['title: ‹!Tea›', 'bad-tag', 'title: "!Tea"'],
    ['description:\n  ‹- one\n  - two›', 'wrong-type', 'description: "one\\ntwo"'],
    ['description: one\n‹Note›: two', 'unknown-key', 'description: "one\\nNote: two"'],
    ['title: ‹Tea date: 2024-05-01›', 'yaml-syntax', 'begin a new line before date:'],
    ['tags: [poster, ‹,› tea]', 'yaml-syntax', 'tags: [poster, tea]'],
    [
      'url_purchased: ‹[Shop](https://shop.example.com)›',
      'yaml-syntax',
      'url_purchased: https://shop.example.com',
    ],
    ['url_purchased: ‹none›', 'bad-url', 'leave url_purchased out'],
    ['‹colour›:', 'unknown-key', 'remove it'],
    ['description: "‹\uffff›"', 'bad-character'],
    // others
    ['draft: ‹yes›', 'bad-draft', 'draft: true'],
    ['draft: ‹False›', 'bad-draft', 'draft: false'],
    ['draft: ‹1›', 'bad-draft', 'draft: true'],
    ['draft: ‹maybe›', 'bad-draft'],
    [
      'token_id: ‹0123456789ABCDEF0123456789abcdef01234567›',
      'bad-token',
      'token_id: 0123456789abcdef0123456789abcdef01234567',
    ],
    ['token_id: ‹abc›', 'bad-token'],
    ['‹// a comment›', 'yaml-syntax', '# a comment'],
    ['‹/* a comment */›', 'yaml-syntax', '# a comment'],
    ['‹<!-- a comment -->›', 'yaml-syntax', '# a comment'],
    ['‹```›', 'yaml-syntax', ''],
    ['‹---›', 'multiple-documents', ''],
    ['‹<<<<<<< HEAD›\ntitle: a\n=======\ntitle: b\n>>>>>>> other', 'yaml-syntax'],
    ['‹<<›: { status: 1 }', 'merge-key'],
    // what designers and community managers wrote in a second round
    ['title:\n‹Tea poster›', 'yaml-syntax', 'indent this line by two spaces'],
    ['tags:\n- ‹poster\n  - tea›', 'bad-word', 'tags: [poster, tea]'],
    ['title: ‹\'Tea poster"›', 'yaml-syntax', 'title: "Tea poster"'],
    ['date: ‹‘2014-03-02’›', 'bad-timestamp', 'date: 2014-03-02'],
    [
      'description: Two colours.\n  ‹Paper: 300 g›',
      'yaml-syntax',
      'description: "Two colours. Paper: 300 g"',
    ],
    ['title: ‹&tea› poster', 'cut-by-comment', 'title: "&tea poster"'],
    ['tags:\n  ‹1. poster\n  2. tea›', 'wrong-type', 'tags: [poster, tea]'],
    ['tags:\n  - poster\n  ‹-tea›', 'yaml-syntax', '- tea'],
    ['tags:\n  - ‹poster, tea›', 'bad-word', 'tags: [poster, tea]'],
    ['tags: ‹none›', 'wrong-type', 'leave tags out'],
    ['tags: ‹-›', 'yaml-syntax', 'leave tags out'],
    ['tags: [poster, ‹name: tea›]', 'wrong-type', 'tags: [poster, tea]'],
    ['date: ‹le 2 mars 2014›', 'bad-timestamp', 'date: 2014-03-02'],
    ["date: ‹Mar 2 '14›", 'bad-timestamp', 'date: 2014-03-02'],
    ['date: ‹2014年3月2日›', 'bad-timestamp', 'date: 2014-03-02'],
    ['date: ‹2014_03_02›', 'bad-timestamp', 'date: 2014-03-02'],
    ['date: ‹2014-O3-02›', 'bad-timestamp', 'date: 2014-03-02'],
    ['date: ‹2041-03-02›', 'unlikely-value', 'date: 2014-03-02'],
    ['date:\n  ‹year: 2014\n  month: 3\n  day: 2›', 'wrong-type', 'date: 2014-03-02'],
    ['date: ‹ca. 2014-03-02›', 'bad-timestamp', 'date: 2014-03-02'],
    ['image: ‹/tea.png›', 'bad-asset', 'image: tea.png'],
    ['image: ‹../shots/tea.png›', 'bad-asset', 'image: ./tea.png'],
    ['image: ‹C:\\Users\\Ana\\Desktop\\tea.png›', 'bad-asset', 'image: ./tea.png'],
    ['image: ‹/Users/ana/Desktop/tea.png›', 'bad-asset', 'image: ./tea.png'],
    ['image: ‹file:///Users/ana/tea.png›', 'bad-asset', 'image: ./tea.png'],
    ['image: ‹![](tea.png)›', 'yaml-syntax', 'image: tea.png'],
    ['image: ‹<img src="./tea.png" alt="Tea">›', 'bad-asset', 'image: ./tea.png'],
    ['image: ‹url(shots/tea.png)›', 'unlikely-value', 'image: shots/tea.png'],
    ['image:\n  ‹src: shots/tea.png\n  alt: Tea›', 'wrong-type', 'image: shots/tea.png'],
    ['image: ‹data:image/png;base64,iVBORw0KGgo=›', 'bad-asset'],
    ['id: ‹11 // poster›', 'bad-id', 'id: 11'],
    ['draft: ‹ture›', 'bad-draft', 'draft: true'],
    ['draft: ‹✓›', 'bad-draft', 'draft: true'],
    ['‹published›: true', 'unknown-key', 'draft: false'],
    ['‹***›', 'yaml-syntax'],
    ['‹*title:* Tea poster›', 'yaml-syntax', 'title: Tea poster'],
    ['‹`title: Tea poster`›', 'yaml-syntax', 'title: Tea poster'],
    ['‹title,Tea poster›', 'yaml-syntax', 'title: Tea poster'],
    ['tags: [‹tea\u200b›]', 'unlikely-value', 'tea'],
    ['image: ‹shots/tea.png\u200b›', 'unlikely-value', 'image: shots/tea.png'],
    ['date: ‹2014\u201103\u201102›', 'bad-timestamp', 'date: 2014-03-02'],
    ['description: "C:‹\\›Users\\ana"', 'yaml-syntax', 'two backslashes for one, or use single quotes'],
    ['description: ‹|-Two colours›', 'yaml-syntax', 'description: "Two colours"'],
    ['description: ‹>- Two colours›', 'yaml-syntax', 'description: "Two colours"'],
    ['‹>>>>>>> feature›', 'yaml-syntax'],
    ['...\n‹tags: [tea]›', 'multiple-documents'],
    ['‹[title]›: Tea poster', 'bad-key', 'title'],
    ['date: ‹2014-03-02 - 2014-03-05›', 'bad-timestamp'],
    ['tags: ‹[#poster #tea]›', 'yaml-syntax', 'tags: [poster, tea]'],
    ["title: ‹'90s tea poster›", 'yaml-syntax', 'title: "\'90s tea poster"'],
    ['description: ‹Line one: first›\n  line two', 'yaml-syntax'],
    [
      'description: |\n  Two colours\n‹- hand-pulled›\n',
      'yaml-syntax',
      'indent all lines of a text below "|" or ">" by two spaces',
    ],
    ['image: ‹\\\\server\\share\\tea.png›', 'bad-asset', 'image: ./tea.png'],
    ['image: ‹https://cdn.example.com/tea.png "Tea"›', 'bad-asset', 'image: https://cdn.example.com/tea.png'],
    // keys in other words and spellings
    ...otherNames('title', 'Poster', 'titel¦Title¦TITLE¦“title”¦título¦<b>title</b>¦nome¦project_title'),
    ...otherNames('tags', '[a]', 'tag¦hashtags¦Schlagwörter¦tag_list¦mots-clés'),
    ...otherNames('large_image', 'a.png', 'largeImage¦large-image¦image_2x'),
    ...otherNames('id_project', '0', 'project'),
    ...otherNames('price_item', '5', 'price¦preis¦cost¦price_eur'),
    ...otherNames('status', '1', '\u00a0status'),
    ...otherNames('url_purchased', 'https://shop.example.com/tea', 'url¦shop_url¦buy_link'),
    ...otherNames('date', '2024-05-01', 'datum¦publish_date¦createdAt¦pubDate¦datetime'),
    ...otherNames('image', 'shots/tea.png', 'thumbnail¦screenshot'),
    ...otherNames('description', 'Two colours', 'beschreibung¦content¦long_description¦Texte'),
    ...otherNames('attachment', 'files/tea.pdf', 'pdf¦download'),
    ...otherNames('draft', 'true', 'hidden'),
    ...otherNames('id', '11', 'shot_id'),
    ...otherNames('alt', 'A cup', 'alternative'),
  ],
  profile: [
    ['name: ‹@ana›', 'yaml-syntax', 'name: "@ana"'],
    ['twitter: ‹@lena›', 'yaml-syntax', 'twitter: https://twitter.com/lena'],
    ['twitter: ‹"@lena"›', 'bad-url', 'twitter: https://twitter.com/lena'],
    ['website: ‹www.example.com›', 'bad-url', 'website: https://www.example.com'],
    ['website: ‹https:/example.com›', 'bad-url', 'website: https://example.com'],
    ['website: ‹none›', 'bad-url', 'leave website out'],
    ['website: ‹http://http://x.example›', 'unlikely-value', 'website: http://x.example'],
    ['‹PROJECTS›:\n  - id: 7\n    created: 2024-05-01', 'unknown-key', 'projects'],
    ['aliases: ‹old-ana›', 'wrong-type', 'aliases: [old-ana]'],
    ['website: ‹ana@example.com›', 'bad-url'],
    ['totalFollowers: ‹1,234›', 'bad-count', 'totalFollowers: 1234'],
    ['totalFollowers: ‹1 234›', 'bad-count', 'totalFollowers: 1234'],
    ['Likes: ‹2.5k›', 'bad-count', 'Likes: 2500'],
    ['skills: ‹typography, branding›', 'wrong-type', 'skills: [typography, branding]'],
    ['projects: [‹7›]', 'wrong-type'],
    ['projects:\n  - id: ‹07›\n    created: 2024-05-01', 'bad-id', 'id: 7'],
    ['projects:\n  - id: 7\n    created: ‹1.5.2024›', 'bad-timestamp', 'created: 2024-05-01'],
    ['projects:\n  - ‹id›: 7', 'missing-key'],
    [
      'projects:\n- id: 7\n‹created›: 2014-03-01',
      'unknown-key',
      'begin this line with 2 spaces: it belongs to projects',
    ],
    ['projects:\n  ‹7: 2014-03-01›', 'wrong-type', 'projects: [{ id: 7, created: 2014-03-01 }]'],
    ['projects: [{id: ‹7 created: 2014-03-01}]›', 'yaml-syntax', 'projects: [{id: 7, created: 2014-03-01}]'],
    ['projects: ‹none›', 'wrong-type', 'leave projects out'],
    ['projects:\n  ‹- id:7›\n    created: 2014-03-01', 'yaml-syntax', '- id: 7'],
    ['skills:\n  ‹typography: 80%\n  branding: 60%›', 'wrong-type', 'skills: [typography, branding]'],
    ['‹username›: ana', 'unknown-key', 'remove it'],
    ['location: ‹{ city: Lisbon, country: Portugal }›', 'wrong-type', 'location: "Lisbon, Portugal"'],
    ['Projects: ‹[{ id: 7, created: 2024-05-01 }]›', 'wrong-type', 'use the key projects'],
    ['aliases: [‹"@ana-old"›]', 'bad-username', 'ana-old'],
    ['aliases: [‹Ana Old›]', 'bad-username', 'Ana-Old'],
    ['aliases: [‹ana_old!›]', 'bad-username', 'ana_old'],
    ['aliases: [‹https://example.com/ana-old›]', 'bad-username', 'ana-old'],
    ['website: ‹https:\\\\ana.example.com›', 'bad-url', 'website: https://ana.example.com'],
    [
      'website: ‹https://ana.example.com, https://shop.example.com›',
      'bad-url',
      'website: https://ana.example.com',
    ],
    ['website: ‹https://ana.example.com (portfolio)›', 'bad-url', 'website: https://ana.example.com'],
    ['website: ‹see https://ana.example.com›', 'bad-url', 'website: https://ana.example.com'],
    ['website: ‹https://ana.example.com:›', 'yaml-syntax'],
    ['website: ‹https://ana.example.com.›', 'unlikely-value', 'website: https://ana.example.com'],
    ['twitter: ‹@ana@mastodon.example›', 'yaml-syntax', 'twitter: https://mastodon.example/@ana'],
    ['Likes: ‹-›', 'yaml-syntax', 'leave Likes out'],
    ['Likes: ‹1e3›', 'bad-count', 'Likes: 1000'],
    ['website: ‹ana.example.com (portfolio)›', 'bad-url', 'website: https://ana.example.com'],
    ['Likes: ‹1.2 k›', 'bad-count', 'Likes: 1200'],
    // keys in other words and spellings
    ...otherNames('Likes', '3', 'likes¦total_likes'),
    ...otherNames('totalFollowers', '3', 'followers¦number_of_followers'),
    ...otherNames('name', 'Ana', 'full name¦nombre¦display_name¦fullname¦nickname'),
    ...otherNames('bio', 'I draw', 'about_me'),
    ...otherNames('twitter', 'https://twitter.com/ana', 'x'),
    ...otherNames('location', 'Lisbon', 'Ort¦hometown'),
    ...otherNames('avatar', 'avatars/ana.png', 'photo¦image¦profile_picture'),
    ...otherNames('cover_image', 'covers/ana.png', 'banner¦cover_photo¦header_image'),
    ...otherNames('aliases', '[ana-old]', 'old_names¦formerly'),
    ...otherNames('website', 'https://ana.example.com', 'sitio_web'),
  ],
  site: [
    ['base_url: ‹api.example.com›', 'bad-base'],
    ['‹title›: Our shots', 'unknown-key', 'gallery: { title: Our shots }'],
    ['‹status›: 1', 'unknown-key', 'defaults: { status: 1 }'],
    ['base_url: ‹https://api.example.com/?a=b›', 'bad-base', 'base_url: https://api.example.com/'],
    ['hosts: [‹netlfy›]', 'unknown-host', 'netlify'],
    ['hosts: [‹cloudflare-r2›]', 'unknown-host', 'leave it out of hosts: print it'],
    ['hosts: [‹cloudflare_r2›]', 'unknown-host', 'leave it out of hosts, also as "cloudflare-r2"'],
    ['precompress: [‹brotli›]', 'unknown-encoding'],
    ['assets: ‹https://cdn.example.com:8443›', 'bad-base'],
    ['base_url: ‹localhost:8080›', 'bad-base'],
    ['hosts: ‹netlify, cloudflare›', 'wrong-type', 'hosts: [netlify, cloudflare]'],
    ['precompress: ‹true›', 'wrong-type', 'precompress: [br, gzip]'],
    ['schemes: [‹HTTPS›]', 'unknown-scheme'],
    // keys in other words and spellings
    ...otherNames('hosts', '[netlify]', 'host'),
    ...otherNames('assets', 'https://cdn.example.com', 'cdn¦asset_url'),
  ],
}

/** The text with the hint obeyed: a line in place of the key's lines, else something in place of the mark. */
const obey = (marked: string, correction: string): string => {
  const isLine = correction === '' || /^(?:- |# |[a-zA-Z_]+: )/.test(correction)
  if (!isLine) return marked.replace(/‹[^›]*›/s, correction)
  const lines = unmarked(marked.slice(0, marked.indexOf('‹'))).split('\n')
  const key = /^\w+:/.exec(correction)?.[0]
  const above = key === undefined ? 0 : lines.toReversed().findIndex((line) => line.includes(key))
  const first = lines.length - 1 - Math.max(0, above)
  const last = marked.slice(0, marked.indexOf('›')).split('\n').length - 1
  const all = unmarked(marked).split('\n')
  const isItem = correction.startsWith('- ')
  const lead = (isItem ? /^ */ : /^ *(?:- (?=\w+:))?/).exec(all[first]!)![0]
  return all.toSpliced(first, last - first + 1, lead + correction).join('\n')
}

describe.each(Object.entries(mistakes))(
  'a mistake in a %s is told in its place, and its correction is right',
  (kind, rows) => {
    const { good, load } = tables[kind as keyof typeof tables]

    test.each(rows.map(([typed, ...rest]) => [typed, rest] as const))('%j', (typed, [code, correction]) => {
      const marked = fileOf(good, typed, correction)
      const text = unmarked(marked)
      const told: readonly Diagnostic[] = load(text).diagnostics
      expect(told.map((one) => one.code)).toEqual([code])
      expect(mark(text, told)).toBe(marked)
      expect(told[0]!.hint).toEqual(expect.any(String))
      if (correction === undefined) return
      expect(told[0]!.hint).toContain(correction)
      // advice that is no line to write
      if (/^(?:leave|begin|remove|indent|put|use) /.test(correction)) return
      expect(load(obey(marked, correction)).diagnostics).toEqual([])
    })
  },
)

test('300 mistakes and more are tried', () => {
  expect(Object.values(mistakes).flat().length).toBeGreaterThanOrEqual(300)
})

test.each([
  'date: 1847-06-22',
  'date: 1066-10-14',
  "tags: [homer-'odyssey', malory-'le-morte-d'arthur', poets', '''raphael''-sculpture', rock'n'roll, 12\"]",
  'image: https://example.com/o’keeffe.png',
  'title: “Tea”',
])('%s is no mistake', (typed) => {
  expect(tables.shot.load(fileOf(shot, typed)).diagnostics).toEqual([])
})

test('a misspelt key beside the one that is meant is to be removed, or the other is', () => {
  const { diagnostics } = tables.shot.load(`${Object.values(shot).join('\n')}\ndat: 2024-05-02\n`)
  expect(diagnostics).toMatchObject([
    { code: 'unknown-key', hint: 'did you mean "date"? It is here already: remove one of the two' },
  ])
})
