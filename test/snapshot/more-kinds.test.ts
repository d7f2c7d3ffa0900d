import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { auditMember, nextBaseTime, slotPath, slotsOf, timeOf } from '../../scripts/snapshot/outputs.ts'
import { sandbox } from '../sandbox.ts'

vi.mock('../../scripts/api/routes.ts', async (original) => {
  const real = await original<typeof import('../../scripts/api/routes.ts')>()
  const { encodings, routes } = real
  return {
    ...real,
    routes: [...routes, { ...routes[1]!, name: 'likes', suffix: '/likes' }],
    encodings: [...encodings, { name: 'zstd', suffix: '.zst' }, { name: 'deflate', suffix: '.zz' }],
  }
})

const slots = slotsOf({
  precompress: ['br', 'gzip', 'zstd', 'deflate'] as never,
  schemes: ['https', 'http'],
})

describe('with one more route, and more encodings', () => {
  it('every file of a member is audited, and what lies beside it is a stranger', () => {
    const own = slots.map(
      ({ variant, route, suffix }) =>
        `${variant === 'http' ? 'http/' : ''}api/username/ana${route.suffix}/index.json${suffix}`,
    )
    expect(own).toContain('http/api/username/ana/likes/index.json.zst')
    const strangers = ['api/username/ana/likes/x', 'http/api/username/ana/likes/x']
    const root = sandbox(Object.fromEntries([...own, ...strangers].map((file) => [file, file])))
    const audit = auditMember(root, 'ana', { slots, blocked: [] })
    expect(audit.sha256.filter((digest) => digest === null)).toEqual([])
    expect(audit.strangers.map((file) => path.posix.normalize(file)).sort()).toEqual(strangers)
  })

  it('every kind of file has a second of its own, which no other build uses', () => {
    const times = (now: number, last: number) => {
      const base = nextBaseTime(now, last)
      const kinds = new Map(
        slots.map(
          (slot) => [`${slot.variant} ${slot.encoding}`, timeOf(base, slotPath(slot, 'ana'))] as const,
        ),
      )
      const list = timeOf(base, 'SHA256SUMS')
      return { list, all: [...kinds.values(), list] }
    }
    const first = times(1e9, 0)
    const second = times(1e9, first.list)
    const all = [...first.all, ...second.all]
    expect(first.all).toHaveLength(11)
    expect(new Set(all).size).toBe(all.length)
    expect(Math.max(...first.all)).toBe(first.list)
    expect(Math.min(...second.all)).toBeGreaterThan(first.list)
  })
})
