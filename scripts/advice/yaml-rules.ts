import { isUnclosed } from '../content/parse/syntax-error.ts'
import { indentText } from '../problems/messages.ts'
import { belowEntry, oddSpace, otherComment } from './meant.ts'
import type { Around } from './yaml-around.ts'
import { markAlone } from './yaml-line.ts'

/**
 * What is said where pieces of the text around have a form: what to point at; what is wrong,
 * as the end of "this is not YAML: …"; and what to write, where nobody can tell what was
 * meant, or `always`.
 */
type Rule = readonly [
  where: { readonly [K in keyof Around['pieces']]?: RegExp },
  shown: keyof Around['stretches'],
  problem: string,
  advice?: string,
  always?: 'always',
]

const inQuotes = 'put the whole value in quotes'
const oneKeyALine = 'write "key: value" on each line, with a space after the colon'
const noColon = 'this line has no ": " after its key'
const noKeyHere = 'this line has no ": " after a key'
const unclosed = 'the quote or bracket here is not closed'
const heading = 'this line is a heading of INI or TOML'
const noHeading = 'remove the line: a file is one profile or one shot'
/** What is wrong where spaces in front of a line are none for YAML. */
export const oddIndent = 'an unusual space is used for indentation'
const marked = 'put text that begins with "&", "!", "*" or "%" in double quotes'
const asBlock = `write {keyAbove}: | and ${indentText}`
const tab = 'a tab is used for indentation'
const spacesOnly = 'indent with spaces only; most editors can turn tabs into spaces'
const notIndented = 'this line goes on with the one above and is not indented'
const indentAll = 'begin each line but the first with two spaces, the last one too'
const tooShallow = 'this line is indented less than the text above it'
const asDeep = 'begin all lines of a text below "|" or ">" with two spaces more than its key'

const afterValue = /^UNEXPECTED_TOKEN .*at node end$/
const afterMark = /^\w+ (?:Not a YAML|Block scalar h|Unexpected block-seq)/
const nested = /^\w+ Nested mappings/
const noEntry = / Implicit | (?:All|A block s|Sequence i)|at node end$/
const text = /^(?:title|name|location|description|bio)$/
const prose = /^(?:description|bio)$/
const afterKey = /(?:^|(?:^|\n)\w[^\n]*[^:\s]\s*\n)$/
const noKey = /^(?!\s*(?!\w+:\/\/)\S*:)/
const noUsualKey = /^(?!\s*\w+:(?: |$))/
const hashtagsNext = /^(?:(?![\w-]+:(?:\s|$)).*\n)*?\s*#\p{L}/u
/** A line that begins with spaces which are none for YAML. */
export const oddlyIndented = new RegExp(`^ *${oddSpace}+\\S`)
const oddlySpaced = new RegExp(`^\\s*\\w+: *${oddSpace}`)

/**
 * What is said of syntax errors, from the special to the general: the first rule that fits is
 * told.
 */
export const rules: readonly Rule[] = [
  // what belongs to other formats
  [
    { line: /^[^\s:,;]+(?:[,;\t][^\s:,;]+){2,}$/ },
    'line',
    'this line is a row of a table',
    'write each value on a line of its own, behind its key: title: Tea',
    'always',
  ],
  [{ line: /^\[[A-Za-z_]+\]\s*$/, above: afterKey }, 'line', heading, noHeading],
  [{ above: /^\s*\[[A-Za-z_]+\]\s*\n\s*$/ }, 'line above', heading, noHeading, 'always'],
  [
    { onwards: /^(?:<{7}|={7}|>{7}|.*\n={7})/ },
    'line',
    'this is the mark of a merge that was not finished',
    'keep one of the two versions, and remove the lines that begin with "<<<<<<<", "=======" and ">>>>>>>"',
  ],
  [
    { line: /^\s*(?:[`~]{3}\w*|[*_=]{3,}|\+{3}|\|.*\|)\s*$/ },
    'line',
    'this line is Markdown',
    'remove the line, or write "key: value" in its place',
  ],
  [
    { line: /^\s*(?:export |module\.|const |let |var ).*[{(]\s*$/ },
    'line',
    'this line is JavaScript',
    'remove the line',
  ],
  [
    { line: /^\s*(?:\w+:\s+)?!?\[[^\]]*\]\([^)]+\)\s*$/ },
    'value',
    'this is a link in Markdown',
    oneKeyALine,
  ],
  [
    { line: /^\s*(?:\/\*|<!--)(?!.*(?:\*\/|-->))/ },
    'line',
    'a comment begins with "#"',
    'begin each line of the comment with "# ", without the marks around it',
    'always',
  ],
  [{ line: otherComment }, 'line', 'a comment begins with "#"'],
  [
    { line: /^\+ *(?:\w+:(?: |$)|- )/ },
    'line',
    'this line is one of a comparison',
    'remove the "+" in front of each line, and the lines with "-" that they are to replace',
    'always',
  ],
  [
    { line: /^\s*[*+•–—]\s/, keyAbove: prose, meant: /^(?!write \w+:)/ },
    'line',
    'an item of a list begins with "-"',
    asBlock,
    'always',
  ],
  [
    { above: /^\s*$/, onwards: /^([*+•–—] )\w+: .*\n\1\w+:/ },
    'line',
    'a mark stands in front of its key',
    'remove the mark in front of each line',
    'always',
  ],
  [
    { line: /^\s*[*+•–—]\s/ },
    'line',
    'an item of a list begins with "-"',
    'begin each item with "- " instead',
  ],
  [
    { line: /^> ?(?:\w+:|#)(?: |$)/ },
    'line',
    'this line is a quote',
    'remove the ">" in front of each line',
    'always',
  ],
  [
    { line: /^ *\d+(?:[ \t|:.)]+\w+:| +#)(?: |$)/, above: /^(?:.*\n)? *(?:\d.*\n\s*)?$/ },
    'line',
    'this line begins with its number',
    'remove the number in front of each line',
    'always',
  ],
  [{ line: /^\$ \w+ / }, 'line', 'this line is a command', 'remove the line', 'always'],
  [{ line: /^\s*[*_`]+\w+\W/, meant: /./ }, 'line', noColon],

  // white space
  [{ line: /^ *\t\s*\w+:(?:\s|$)/, above: afterKey, meant: /./ }, 'token', tab],
  [{ said: /^TAB_AS_INDENT/ }, 'token', tab, spacesOnly, 'always'],
  [{ line: /^ *\t/ }, 'line', tab, spacesOnly, 'always'],
  [
    { line: oddlyIndented },
    'line',
    oddIndent,
    'delete the spaces in front of it and of each line like it, and type them anew',
    'always',
  ],

  // quotes and brackets
  [
    { said: isUnclosed, closed: /^(?:["'].*\n|[[{].*\n\S)/s },
    'line below',
    notIndented,
    indentAll,
    'always',
  ],
  [
    { said: isUnclosed, onwards: /^[[{].* #\S/ },
    'rest',
    '"#" begins a comment, so this is not closed',
    'put what begins with "#" in double quotes: accent: "#c2410c"',
  ],
  [
    { said: isUnclosed, onwards: /^[^\n]*$/, meant: /^write / },
    'rest',
    unclosed,
    'if the file is cut off here, get all of it anew; else {meant}',
    'always',
  ],
  [
    { said: isUnclosed },
    'rest',
    unclosed,
    'close it, or put all of the text in double quotes',
  ],
  [
    { said: /^BAD_DQ_ESCAPE/, line: /: *"[a-z]:\\/i, meant: /^write \w+: \.\// },
    'value',
    'this is a path on your own computer',
  ],
  [
    { said: /^BAD_DQ_ESCAPE/, after: /^\\[^\w\s]/ },
    'token',
    'this has no meaning in double quotes',
    'remove the backslash',
    'always',
  ],
  [
    { said: /^BAD_DQ_ESCAPE/ },
    'token',
    'this has no meaning in double quotes',
    'write two backslashes for one, or use single quotes',
    'always',
  ],
  [
    { said: /^\w+ Unexpected flow-(?:seq|map)-end/, line: /: *[[{]/ },
    'token',
    'nothing is open that this could close',
    'remove it',
    'always',
  ],
  [
    { said: /^\w+ Unexpected flow-(?:seq|map)-end/ },
    'token',
    'nothing is open that this could close',
    'remove it',
  ],
  [
    { said: /^\w+ Unexpected (?:,|empty item)/, before: /[[{]/ },
    'token',
    'there is a comma too many',
    'remove it',
  ],
  [
    { said: /^\w+ (?:Block collections|Missing ,)/, before: /[[{]/ },
    'rest',
    'a comma is missing between two entries',
    'put a comma between the entries of [ ] and { }',
  ],
  [
    { said: /^\w+ (?:Block collections|Missing ,)/, line: /^\s*- / },
    'line',
    'items stand in brackets, and begin with "-" as well',
    'remove the brackets around them',
    'always',
  ],
  [
    { said: noEntry, line: /^\s*- /, above: /\]\s*\n$/ },
    'line',
    'items stand in brackets, and begin with "-" as well',
    'put it into the brackets above, without the "-"',
    'always',
  ],
  [
    { said: /^\w+ (?:Block collections|Missing ,)/ },
    'rest',
    'a comma is missing between two entries',
    'end each line but the last with a comma',
    'always',
  ],

  // what a value can't begin with, or what can't follow it
  [
    { said: /^BAD_|Unexpected ,|Nested/, after: /^[?,@`%&*]/ },
    'rest',
    "a value can't begin with {sign}",
    inQuotes,
  ],
  [
    { said: afterMark, line: /:\s+-/ },
    'rest',
    'a list item stands on the line of its key',
    'put each "- item" on a line of its own, or write [one, two]',
  ],
  [
    { said: afterMark, line: markAlone, meant: /./ },
    'value',
    'text can\'t follow "|" or ">" on its line',
  ],
  [
    { said: afterMark, line: /^(?:description|bio):/, onwards: /^[^\n]*\n[ \t]+\S/ },
    'value',
    'text can\'t follow "|" or ">" on its line',
    'begin the text on the line below, indented as what follows',
    'always',
  ],
  [
    { said: afterMark },
    'value',
    'text can\'t follow "|" or ">" on its line',
    'begin the text on the line below, indented, or put all of it in double quotes',
  ],
  [
    { said: afterValue, before: /\S/, after: /^[,;]\s*$/ },
    'rest',
    'there is a mark too many at the end',
    'remove it',
    'always',
  ],
  [
    { said: afterValue, before: /\S/, after: /^[\s\u200b\u2060]*$/ },
    'rest',
    'something that nobody sees stands behind the value',
    'delete the end of the line, and type it anew',
    'always',
  ],
  [
    { said: afterValue, before: /^\s*(?:\w+:|-)\s+\*/ },
    'value',
    "a value can't begin with {sign}",
    inQuotes,
  ],
  [
    { said: afterValue, line: /: +"""(?!.*"""\s*$)/ },
    'value',
    'YAML has no """',
    'write | in its place, begin each line of the text below with two spaces, and remove the other """',
    'always',
  ],
  [
    { said: afterValue, before: /["'\]}]\s*$/, after: /^(?:\/[/*]|;|--)\s/ },
    'rest',
    'this stands behind the end of the value',
    'if it is a comment, begin it with " # "; else move it inside the quotes or brackets',
    'always',
  ],
  [
    { said: afterValue, before: /\S/ },
    'rest',
    'this stands behind the end of the value',
    inQuotes,
  ],
  [
    { said: /^MISSING_CHAR Comments/, before: /:\s*\[[^\]]*$/ },
    'value',
    '"#" begins a comment, so the list is not closed',
    'put what begins with "#" in double quotes',
  ],
  [
    { said: /^MISSING_CHAR Comments/ },
    'rest',
    'a space is missing in front of "#"',
    'write " # comment"',
    'always',
  ],
  [
    { said: /^\w+ (?:An alias|Anchors|A node can|Tags and|Missing newl)/ },
    'rest',
    'this is not expected here',
    marked,
  ],
  [
    { said: /^BAD_DIRECTIVE|^MISSING_CHAR Missing directives-end/ },
    'line',
    'a line above it begins with "%", which has a meaning of its own in YAML',
    marked,
  ],

  // a key after a key
  [{ said: nested, meant: /^write \w+: \[?\{/ }, 'rest', 'two keys stand on one line'],
  [
    { said: nested, line: /^\s*(?:- +)?(\w+): +\1: /, meant: /./ },
    'rest',
    'its key is there twice',
  ],
  [
    { said: nested, line: /^\s*- (?:\w+: [^:,]*, *)+\w+: [^:,]*$/ },
    'rest',
    'two keys stand on one line',
    'put { } around all that follows "- "',
    'always',
  ],
  [
    { said: nested, next: /./, line: /^(?:description|bio):/ },
    'rest',
    'two keys stand on one line',
    'if {next} is a key, begin a new line before it; else put the whole value in quotes',
    'always',
  ],
  [
    { said: nested, next: /./ },
    'rest',
    'two keys stand on one line',
    'begin a new line before {next}: and each key behind it',
    'always',
  ],
  [
    { said: nested, line: /^(?:description|bio):.*:\s*$/, onwards: /^[^\n]*\n[ \t]*- / },
    'rest',
    'the value ends with ":" and is not in quotes',
    'write | in its place, and begin it and each line of the text below it with two spaces',
    'always',
  ],
  [
    { said: nested, after: /:(?:\s|$)/ },
    'rest',
    'the value contains ": " and is not in quotes',
    inQuotes,
  ],
  [
    { said: nested, keyAbove: /^(?:gallery|assets|defaults)$/, valueAbove: /^$/ },
    'line',
    'this line is not indented below its key',
    'indent this line by two spaces',
    'always',
  ],
  [
    { said: nested },
    'line below',
    'this line is indented further than the keys above it',
    'begin all keys at the same column; put a text that goes on over several lines in double quotes',
  ],

  // a line that is no entry, or not in its column
  [{ said: /^KEY_OVER/ }, 'line', 'a key has more than 1024 characters', oneKeyALine],
  [{ said: /^BAD_INDENT Block scalar/ }, 'line', tooShallow, asDeep, 'always'],
  [
    { said: noEntry, line: /^\s*(?:- )?\w+:[^\s/]/, meant: /./ },
    'line',
    'a space is missing after ":"',
  ],
  [
    { said: noEntry, line: oddlySpaced, meant: /./ },
    'line',
    'an unusual space after ":" is not ": "',
  ],
  [
    { said: noEntry, line: /^- /, above: belowEntry },
    'line',
    'the lines above it are no part of the list',
    'begin each line below a "- " with two spaces, if it belongs to that entry',
    'always',
  ],
  [{ said: noEntry, line: noUsualKey, meant: /^write \w+:/ }, 'line', noColon],
  [
    { said: noEntry, line: /^\s*[^-\s]/, meant: /^write - / },
    'line',
    'an item of a list begins with "- "',
  ],
  [{ said: noEntry, meant: /^write - / }, 'line', 'a space is missing after "-"'],
  [{ said: noEntry, line: noUsualKey, valueAbove: /^[|>]/ }, 'line', tooShallow, asDeep],
  [
    { said: noEntry, line: /^\s*-\s/, keyAbove: prose, valueAbove: /./ },
    'line',
    'this list item belongs to no key',
    `if it goes on with the text above, ${asBlock}`,
  ],
  [
    { said: /Implicit/, line: /^\s*-(?:\s|$)/ },
    'line',
    'this list item belongs to no key',
    'write the key above it without a value: tags:; and a key below it at the start of its line',
  ],
  [
    { said: noEntry, line: /^[{[]/, above: /[}\]]\s*$/ },
    'line',
    'a second value begins here',
    'a file is one profile or one shot; move what follows to a file of its own',
  ],
  [
    { said: noEntry, line: /^ +(?!-\s)\S/, above: /[^"' \t\n][ \t]+#[^\n]*\n\s*$/ },
    'line',
    'the comment above ends the text, and this line goes on with it',
    'move the comment above the key, or remove it; if it is a part of the text, put all of the text in quotes',
  ],
  [
    { said: noEntry, line: noKey, keyAbove: text, onwards: hashtagsNext },
    'line',
    notIndented,
    `${asBlock}, as "#" begins a comment elsewhere`,
  ],
  [
    { said: noEntry, line: noKey, keyAbove: prose, valueAbove: /^(?!["'[{&*!#|>])/ },
    'line',
    'this line goes on with the text of a key above',
    asBlock,
  ],
  [
    { said: noEntry, line: noKey, keyAbove: text, valueAbove: /^(["']).*\1\s*$/ },
    'line',
    'this line stands behind the closing quote of the text above',
    'put that quote at the end of the text, and begin each line but the first with two spaces',
  ],
  [
    {
      said: noEntry,
      line: /^(?!\s*(?:-|\S*:))/,
      above: /(?:^|\n)\w+:\s*$/,
      valueAbove: /^$/,
    },
    'line',
    'this line is not indented below its key',
    'indent this line by two spaces',
  ],
  [
    { said: noEntry, line: noKey, keyAbove: text, valueAbove: /^[^"'[{&*!#]/ },
    'line',
    notIndented,
    indentAll,
  ],
  [
    { said: /Implicit/, onwards: /^\w+$/ },
    'line',
    noKeyHere,
    'if the file is cut off here, get all of it anew; else remove the line',
  ],
  [
    { said: /Implicit/, above: /^$|(?:^|\n)[ \t\r]*\n$/ },
    'line',
    noKeyHere,
    'remove the line; or, if it belongs here, write "key: value"',
  ],
  [
    { said: /Implicit/, onwards: /^[^:]*$/ },
    'line',
    noKeyHere,
    'remove the line, or indent a line that goes on with the text above',
  ],
  [
    { said: /Implicit/ },
    'line',
    noKeyHere,
    'write "key: value"; indent a line that goes on with the text above, or remove the line',
  ],
  [
    { said: noEntry, line: /^ +\w+:/, above: /(?:^|\n) +- \w+:[^\n]*\n$/ },
    'line',
    'this line does not line up with the key behind the "-" above it',
    'begin it, and each other key of that entry, two spaces further than the "-"',
    'always',
  ],
  [
    { said: noEntry },
    'line',
    'this line does not line up with those above it',
    'begin all keys of a mapping, and all "-" of a list, at the same column',
    'always',
  ],
  [
    { said: /^MISSING_CHAR Block scalars/ },
    'line',
    'the empty lines above hold too many spaces',
    'remove them',
  ],
]

/** Where no other rule fits. */
export const lastRule: Rule = [{}, 'rest', 'this is not expected here', oneKeyALine]
