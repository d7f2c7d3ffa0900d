import { toProfile, toShot } from '../../content/member.ts'
import { toSite } from '../../content/site.ts'
import {
  deriveShots,
  deriveUser,
  type Member,
  type ShotRecord,
  type UserRecord,
} from '../records.ts'

/** A member who is plainly an example, for the schemas and the OpenAPI document. */
export const exampleMember: Member = {
  username: 'ana',
  profile: toProfile({
    id: '42',
    name: 'Ana Example',
    location: 'Lisbon, Portugal',
    bio: 'I draw letters. #typography',
    twitter: 'https://twitter.com/example',
    website: 'http://ana.example.com/',
    skills: ['typography', 'branding'],
    avatar: 'avatars/ana.png',
    cover_image: 'covers/ana.jpg',
    type_account: '1',
    totalFollowers: '230',
    totalFollowing: '57',
    Likes: '1200',
    Lists: '3',
    Listed: '12',
    totalShots: '230',
    projects: [{ id: '7', created: '2014-02-01 00:00:00' }],
  }),
  published: 1,
  latest: [
    {
      ...toShot({
        id: '1001',
        title: 'Poster for a jazz night',
        date: '2014-03-02 18:30:00',
        image: 'shots/poster.png',
        large_image: 'shots/poster@2x.png',
        description: 'Two colours, printed by hand.',
        tags: ['poster', 'print'],
        id_project: '7',
        status: '1',
        attachment: 'files/poster.pdf',
        url_purchased: 'https://shop.example.com/poster',
        price_item: '24.50 EUR',
      }),
      token_id: '0123456789abcdef0123456789abcdef01234567',
    },
  ],
}

/** A site for it. */
export const exampleSite = toSite({
  base_url: 'https://api.example.com',
  assets: 'https://cdn.example.com',
})

export const exampleUser = (): UserRecord => deriveUser(exampleMember, 'https', exampleSite)
export const exampleShot = (): ShotRecord =>
  deriveShots(exampleMember, 'https', exampleSite).Shots[0]!
