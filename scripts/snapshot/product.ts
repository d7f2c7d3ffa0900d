import type { AllOfMember, File, Given, Published } from '../api/output.ts'
import { outputsOf } from '../api/outputs.ts'
import { errors, prefix, sumsFile, variantFolder } from '../api/route.ts'
import type { Site } from '../content/site.ts'
import { renderSums } from '../files/sums.ts'
import { hostOutput } from '../hosts/hosts.ts'
import type { Look } from './entry.ts'
import { publicationFiles } from './publication.ts'

/** A member that is right; with drafts, if they are shown. */
export type Whole = AllOfMember & {
  /** How its pictures look, by address. */
  readonly looks: ReadonlyMap<string, Look>
}

/**
 * A folder that is made of all members: the snapshot, or the gallery. Threads make it again
 * from its name, and `about`.
 */
export type Product = {
  readonly name: 'snapshot' | 'gallery'
  readonly site: Site
  /** What it is made of besides the site; JSON. */
  readonly about?: unknown
  /** Whether drafts are published. */
  readonly drafts: boolean
  /** The files of a member, and what is kept of it for those of the site, by the outputs' names. */
  readonly ofMember: (member: Whole) => {
    readonly files: Iterable<File>
    readonly kept: Published['kept']
  }
  readonly ofSite: (given: Given) => Iterable<File>
  /** Folders in which each member, at each of its names, has a folder of its own. */
  readonly memberFolders: readonly string[]
  /** The file by which the folder is known; it comes first. */
  readonly mark: string
  /** The list of checksums, if it has one; it comes last. */
  readonly list?: string
  /** Other files that may be in it. */
  readonly others: readonly string[]
  /** What of people's own may be at its top. */
  readonly mayStay?: RegExp
}

/** The folders in which members stand: `api/username`, `http/api/username`. */
const memberFolders = ({ schemes }: Site): readonly string[] =>
  schemes.map((variant) => `${variantFolder[variant]}${prefix}`.replace(/^\/|\/$/g, ''))

/** The snapshot of a site. A shard has the files of members alone, and their list. */
export const snapshotOf = (site: Site, { isShard = false } = {}): Product => {
  const outputs = [...outputsOf(site), hostOutput]
  return {
    name: 'snapshot',
    site,
    drafts: false,
    ofMember: (member) => ({
      files: outputs.flatMap(({ ofMember }) => [...(ofMember?.(member, site) ?? [])]),
      kept: Object.fromEntries(
        outputs.flatMap(({ name, keeps }) => (keeps ? [[name, keeps.of(member)]] : [])),
      ),
    }),
    *ofSite(given) {
      if (!isShard) {
        for (const { file, body } of Object.values(errors))
          yield { paths: [file], bytes: () => body }
        for (const { ofSite } of outputs) if (ofSite) yield* ofSite(given)
      }
      yield { paths: [sumsFile], bytes: () => renderSums(given.sums()) }
    },
    memberFolders: memberFolders(site),
    mark: errors.notFound.file,
    list: sumsFile,
    others: publicationFiles,
  }
}
