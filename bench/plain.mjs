// The yardstick: the same files from the same content by the script that one would write in
// an afternoon. It knows no positions, no rules across files, no state and no safe writing.
// usage: node bench/plain.mjs CONTENT OUT
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { FAILSAFE_SCHEMA, load } from 'js-yaml'

const [content, out] = process.argv.slice(2)
const text = { type: 'string' }
const number = { type: 'string', pattern: '^[0-9]+$' }
const words = { type: 'array', items: { type: 'string', pattern: '^[^\\s,]+$' } }
const moment = { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9:]{8}Z?)?$' }
const project = {
  type: 'object',
  required: ['id', 'created'],
  properties: { id: number, created: moment },
}
const counts = [
  'totalFollowers',
  'totalFollowing',
  'Likes',
  'totalShots',
  'Lists',
  'Listed',
  'Projects',
]

const ajv = new Ajv({ allErrors: true })
const validator = (required, properties) =>
  ajv.compile({ type: 'object', required, properties, additionalProperties: false })
const isProfile = validator(['id', 'name'], {
  ...{
    id: number,
    name: text,
    location: text,
    bio: text,
    twitter: text,
    website: text,
    skills: words,
  },
  ...{
    avatar: text,
    cover_image: text,
    type_account: number,
    projects: { type: 'array', items: project },
  },
  ...Object.fromEntries(counts.map((name) => [name, number])),
})
const isShot = validator(['id', 'title', 'date', 'image'], {
  ...{
    id: number,
    title: text,
    date: moment,
    image: text,
    large_image: text,
    description: text,
    tags: words,
  },
  ...{
    id_project: number,
    status: number,
    attachment: text,
    url_purchased: text,
    price_item: text,
  },
  ...{
    token_id: { type: 'string', pattern: '^[0-9a-f]{40}$' },
    draft: { enum: ['true', 'false'] },
  },
})

const read = (file, isRight) => {
  const data = load(readFileSync(file, 'utf8'), { schema: FAILSAFE_SCHEMA })
  for (const key in data) if (data[key] === null) delete data[key]
  if (isRight && !isRight(data)) throw new Error(`${file}: ${ajv.errorsText(isRight.errors)}`)
  return data
}
const write = (folder, record) => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.json'), `${JSON.stringify(record)}\n`)
}
const timestamp = (value) =>
  value.length === 10 ? `${value} 00:00:00` : value.replace('T', ' ').replace('Z', '')
const newest = (a, b) =>
  Number(a.date < b.date) - Number(a.date > b.date) || Number(BigInt(b.id) - BigInt(a.id))

const site = read(join(content, 'site.yaml'))
const defaults = { type_account: '0', status: '0', ...site.defaults }
const address = (value, scheme) => {
  if (value === undefined || value === '') return ''
  if (/^(?:https?:)?\/\//.test(value)) return value.replace(/^(?:https?:)?/, `${scheme}:`)
  return `${site.assets.replace(/^https?/, scheme)}/${value}`
}

for (const username of readdirSync(join(content, 'members'))) {
  const folder = join(content, 'members', username)
  const profile = read(join(folder, 'profile.yaml'), isProfile)
  const files = existsSync(join(folder, 'shots')) ? readdirSync(join(folder, 'shots')) : []
  const shots = files.map((name) => read(join(folder, 'shots', name), isShot))
  const published = shots.filter(({ draft }) => draft !== 'true')
  for (const shot of published) shot.date = timestamp(shot.date)
  const latest = published.sort(newest).slice(0, 15)
  const projects = new Map(
    (profile.projects ?? []).map(({ id, created }) => [id, timestamp(created)]),
  )
  for (const scheme of ['https', 'http']) {
    const target = join(out, scheme === 'http' ? 'http' : '', 'api/username', username)
    write(target, {
      totalFollowers: profile.totalFollowers ?? '0',
      totalFollowing: profile.totalFollowing ?? '0',
      Likes: profile.Likes ?? '0',
      totalShots: profile.totalShots ?? String(published.length),
      Lists: profile.Lists ?? '0',
      Listed: profile.Listed ?? '0',
      Projects: profile.Projects ?? String(projects.size),
      id: profile.id,
      username,
      name: profile.name,
      location: profile.location ?? '',
      twitter: profile.twitter ?? '',
      website: profile.website ?? '',
      bio: profile.bio ?? '',
      skills: (profile.skills ?? []).join(','),
      avatar: address(profile.avatar, scheme),
      type_account: profile.type_account ?? defaults.type_account,
      cover_image: address(profile.cover_image, scheme),
    })
    write(join(target, 'shots'), {
      Shots: latest.map((shot) => ({
        id: shot.id,
        id_project: shot.id_project ?? '0',
        created_project: projects.get(shot.id_project) ?? '0000-00-00 00:00:00',
        image: address(shot.image, scheme),
        large_image: address(shot.large_image ?? shot.image, scheme),
        token_id: shot.token_id ?? createHash('sha1').update(`shot:${shot.id}`).digest('hex'),
        description: shot.description ?? '',
        title: shot.title,
        user_id: profile.id,
        status: shot.status ?? defaults.status,
        tags: (shot.tags ?? []).join(','),
        date: shot.date,
        attachment: address(shot.attachment, scheme),
        url_purchased: shot.url_purchased ?? '',
        price_item: shot.price_item ?? '',
      })),
    })
  }
}
