/** Files as people write them, one for each habit; what other tests mutate. */
export const examples: readonly string[] = [
  `# yaml-language-server: $schema=../../../schemas/profile.schema.json
id: 1479
name: Ana Ruiz
location: Bogotá, Colombia
website: https://ana.example/#work
bio: |-
  Letters, mostly.
  #type #posters
skills:
  - lettering
  - motion
avatar: avatars/ana.jpg
type_account: 1
totalFollowers: 273
projects:
  - id: 65669
    created: 1975-01-01
  - id: 65670
    created: 2014-03-02 18:30:00
`,
  `id: 42
title: "Say \\"hello\\" — twice"
description: "First line

  second line\\r

  a long line that the editor has folded
  here and \\
  here\\ttoo"
tags: [type, "two words", 'it''s', c++]
image: //cdn.example.com/a%20b.png?x=1#y
draft: false
`,
  `title: 'It''s done'
description: >
  Folded text
  over lines

  with a paragraph,
    an indented line
    and another

  and an end


id: 7  # the seventh
date: 2014-03-02T18:30:00Z
tags:
- a
- b: c

# the end
`,
  `base_url: https://api.example.com/v1
assets:
  https: https://cdn.example.com
  http: http://cdn.example.com
defaults:
  type_account: 1

  # indented comment
  status: 0
hosts: []
precompress: [ br , gzip ]
`,
  `name: Ola
  Nordmann
bio:
location: # none
description: |+

  keeps


website:
  http://example.com/
skills:

  # first
  - one
  - two words
    on two lines
  - "quoted"   # comment
  - 'single
    quoted'
`,
  `---
id: 7
name: Bo
website: http://bo.example
skills: [
  lettering,
  motion
]
projects:
  - {id: 1, created: 2014-03-02 18:30:00}
  - { "id": 2, 'created': "2015-01-01" }  # the second
`,
  `id: 8
projects: [{id: 1, created: 2014-03-02}, {id: 2, created: 2015-01-01},
  {id: 3, created: 2016-01-01}]
tags:
  [
    one two,
    'three',
    http://x.example/#four,
  ]
nested: {a: [b, [c, d]], e: {f: {}}, g: []}
empty: [ ]
`,
]
