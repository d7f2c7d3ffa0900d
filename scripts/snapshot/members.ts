import os from 'node:os'
import { Worker } from 'node:worker_threads'
import { createLoader } from '../advice/loader.ts'
import { once } from '../content/once.ts'
import { type MemberFiles, openMember } from '../content/read/open.ts'
import { type Scan, scanListed } from '../content/read/scan.ts'
import type { Sum } from '../files/sums.ts'
import { type Diagnostic, hasErrors, UserError } from '../problems/diagnostic.ts'
import {
  brokenLimit,
  compileMember,
  createTools,
  holdingsOf,
  oidsOf,
  type Tools,
} from './compile.ts'
import { type Destination, type OpenDestination, openDestination } from './destination.ts'
import { type Entry, listMarks, marksIn, publishedOf, sumsOf } from './entry.ts'
import { makeFiles } from './make.ts'
import type { StagedFile } from './pictures.ts'
import type { Product } from './product.ts'
import type { Shard } from './shard.ts'
import { contentKeyOf, copy } from './state.ts'

/** What every thread needs before it draws members; it is sent to the threads as it is. */
export type Task = Pick<Tools, 'content' | 'site' | 'source'> & {
  readonly shard: Shard | undefined
  /** The members to look at, in the order of the paths. */
  readonly members: readonly string[]
  /**
   * What is known of members: from this same program and site, so that equal content means
   * equal results.
   */
  readonly known: ReadonlyMap<string, Entry>
  /** Absent if the content is only to be checked. */
  readonly destination: Destination | undefined
  /** What a thread makes the product again from. */
  readonly product: Pick<Product, 'name' | 'about'> | undefined
  /** Shared by the threads; see {@link control}. */
  readonly control: Int32Array<ArrayBufferLike>
}

/** What stands where in {@link Task.control}. */
const control = { next: 0, done: 1, broken: 2 } as const

/** What is new about a member. */
type Found = {
  readonly username: string
  /** Absent if it is the one that was known, and its files are as it says. */
  readonly entry?: Entry
  /** What is wrong with the tree of its files. */
  readonly diagnostics: readonly Diagnostic[]
  /** See {@link compileMember}; absent if the member was not read. */
  readonly broken?: number
  /** Whether its files were as the last build left them. */
  readonly wasAsLeft?: boolean | undefined
}

/** The effort to compile a member with twenty shots is 1: what takes time is to read files. */
const effortOf = ({ shots }: Scan): number => (1 + shots.length) / 20
/** To ask for the stats of a member's files and compare them, as a part of that. */
const effortToKeep = 1 / 8
/** Bytes of pictures that take the effort of such a member, to be read, hashed and written. */
const picturesLikeAMember = 1 << 19

/**
 * A member that was listed: its files, what stat says of them, and what they say, if somebody
 * asks.
 */
type Listed = { readonly scan: Scan; readonly stat: string; readonly open: () => MemberFiles }

/**
 * Turns a member into an entry and staged files, and says how much effort it was. Without a
 * product, it is only checked.
 */
const createWorker = (task: Task, { product, onFound }: DrawOptions) => {
  const { content, site, source, known } = task
  const tools = createTools({ content, site, source, loader: createLoader() })
  const destination = task.destination && openDestination(task.destination)
  const compile = createCompiler(tools, { destination, product, shard: task.shard })

  return (username: string): number => {
    const scan = scanListed(username, content)
    const { diagnostics, stat } = scan
    const listed = { scan, stat, open: once(() => openMember(scan, tools)) }
    const before = known.get(username)
    const there = before && inspect(before, destination)
    const told = { username, diagnostics, wasAsLeft: there?.isAsLeft }
    if (!there?.isWhole() || !isSame(listed, there.entry)) {
      const { pictureBytes, ...found } = compile(listed, there)
      Atomics.add(task.control, control.broken, found.broken)
      onFound({ ...told, ...found })
      return effortOf(scan) + pictureBytes / picturesLikeAMember
    }
    const { from } = there.entry
    if (stat !== from.stat || !there.isAsLeft) {
      onFound({
        ...told,
        entry: { ...there.entry, from: { ...from, stat }, stat: there.stat },
      })
    } else if (diagnostics.length > 0) onFound(told)
    return effortOf(scan) * effortToKeep
  }
}

/** Whether a member's content is what its entry was made from. */
const isSame = ({ scan, stat, open }: Listed, { from }: Entry): boolean => {
  if (from.key === '' || hasErrors(scan.diagnostics)) return false
  if (stat !== '' && stat === from.stat) return true
  // pictures are not read here: whoever compiles reads those that changed
  return scan.pictures.length === 0 && contentKeyOf(scan, oidsOf(open())) === from.key
}

/**
 * What is on the disk of a member: what stat says, whether a file is as it has to be, and
 * whether all are.
 */
const inspect = (entry: Entry, destination: OpenDestination | undefined) => {
  const stat = destination ? destination.inspect(entry, publishedOf(entry)).stat : entry.stat
  const isAsLeft = destination === undefined || (stat !== '' && stat === entry.stat)
  const has = ({ path, digest }: Sum): boolean => isAsLeft || destination.has(path, digest)
  const isWhole = (): boolean => isAsLeft || (stat !== '' && sumsOf(entry).every(has))
  return { entry, stat, isAsLeft, has, isWhole }
}

type CompilerOptions = Pick<DrawOptions, 'product'> &
  Pick<Task, 'shard'> & { readonly destination: OpenDestination | undefined }

/** Makes a member's entry anew, and stages its files. */
const createCompiler =
  (tools: Tools, { destination, product, shard }: CompilerOptions) =>
  ({ scan, stat, open }: Listed, there: ReturnType<typeof inspect> | undefined) => {
    let pictureBytes = 0
    const take = ({ path, digest, bytes }: StagedFile): void => {
      pictureBytes += bytes.length
      destination?.renew(path, bytes, digest)
    }
    const seen = Object.entries(there?.entry.from.pictures ?? {}).filter(
      ([, one]) => one.isPublished && there?.has(one),
    )
    const { member, oids, broken, diagnostics, aliases, claims, ...found } = compileMember(
      open(),
      tools,
      { seen: Object.fromEntries(seen), take, drafts: product?.drafts ?? false },
    )
    const pictures = Object.keys(found.seen).length > 0 && { pictures: found.seen }
    const made = member && product?.ofMember(member)
    const before = there?.isAsLeft ? marksIn(there.entry) : undefined
    const { precompress = [] } = tools.site ?? {}
    const files =
      made && destination
        ? makeFiles(made.files, { destination, before, precompress })
        : new Map()
    const entry: Entry = {
      username: scan.username,
      shots: scan.shots.length,
      aliases,
      claims,
      from: { key: member === undefined ? '' : contentKeyOf(scan, oids), stat, ...pictures },
      files: listMarks(files),
      stat: '',
      largest: 0,
      kept: made?.kept ?? {},
      diagnostics: diagnostics.slice(scan.diagnostics.length),
      ...(shard && { held: holdingsOf(open(), tools.content) }),
    }
    return { broken, entry, pictureBytes }
  }

type DrawOptions = {
  readonly product: Product | undefined
  readonly onFound: (found: Found) => void
  /**
   * After each member: how many members all threads have processed, and how much effort this
   * one was.
   */
  readonly onMember?: (done: number, effort: number) => void
}

/**
 * Every thread, the main one too, draws members in their order from a shared counter until
 * none is left, or too much is broken. Whatever is drawn is processed, so those that are left
 * out come after all others.
 */
export const drawMembers = async (task: Task, options: DrawOptions): Promise<void> => {
  const process = createWorker(task, options)
  for (
    let turned = performance.now();
    Atomics.load(task.control, control.broken) < brokenLimit;
  ) {
    const username = task.members[Atomics.add(task.control, control.next, 1)]
    if (username === undefined) break
    const effort = process(username)
    const done = Atomics.add(task.control, control.done, 1) + 1
    options.onMember?.(done, effort)
    if (performance.now() - turned < longestTurnMs) continue
    // signals and messages of other threads are handled now
    await new Promise((resolve) => setImmediate(resolve))
    turned = performance.now()
  }
}

const longestTurnMs = 100

/**
 * Processes every member, in this thread, and in others too once enough is left to do.
 * `onProgress` gets how many are done.
 */
export const compileMembers = async (
  about: Omit<Task, 'control' | 'product'>,
  product: Product | undefined,
  onProgress: (done: number) => void,
) => {
  const task = {
    ...about,
    product: product && { name: product.name, about: product.about },
    control: new Int32Array(new SharedArrayBuffer(12)),
  }
  const found: Found[] = []
  const onFound = (one: Found) => found.push(one)
  let others: ReturnType<typeof startThread>[] = []
  let all = 0
  let largest = 0
  const onMember = (done: number, effort: number): void => {
    onProgress(done)
    all += effort
    // one with 40,000 shots says nothing of the others
    largest = Math.max(largest, effort)
    const left = ((all - largest) / done) * (task.members.length - done)
    if (others.length === 0 && left >= worthAThread)
      others = Array.from({ length: mostThreads() - 1 }, () => startThread(task, onFound))
  }
  try {
    await drawMembers(task, { product, onFound, onMember })
    await Promise.all(others.map(({ ended }) => ended))
    return found
  } finally {
    stopDrawing(task)
    await Promise.all(others.map(({ end }) => end()))
  }
}

/**
 * Effort left for which other threads are started. A second one has V8 optimize the same code
 * again: at 1,000 × 20 that adds a third to the processor time of a cold build, and takes as
 * long.
 */
export const worthAThread = 1500

/** More than four wait for the disk rather than work. */
const mostThreads = (): number => Math.min(os.availableParallelism(), 4)

/**
 * What is made for a member is garbage after it: with more room, a build would take 25 MB
 * more, and not be faster.
 */
const maxYoungGenerationSizeMb = 12

/** Leaves nothing to draw for any thread. */
const stopDrawing = (task: Task): unknown =>
  Atomics.store(task.control, control.next, 2 ** 30)

/**
 * Has another thread process what is left of a task. What it finds comes at once, so that no
 * thread holds it besides. If it fails, no thread draws more.
 */
const startThread = (task: Task, onFound: DrawOptions['onFound']) => {
  const worker = new Worker(
    copy?.worker ?? new URL('../start/start-worker.cjs', import.meta.url),
    {
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb },
      workerData: task,
    },
  )
  worker.on('message', (text) => onFound(JSON.parse(text)))
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('error', (error: NodeJS.ErrnoException) => {
      // the system had no room for it: the other threads do its work
      if (noRoom.includes(error.code ?? '')) resolve()
      else reject(asThrown(error))
    })
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`)),
    )
  })
  ended.catch(() => stopDrawing(task)) // whoever awaits it gets the error; if nobody does, nothing is lost
  return { ended, end: () => worker.terminate() }
}

/** Error codes of a thread that could not begin. */
const noRoom = ['ERR_WORKER_INIT_FAILED', 'EAGAIN']

/** An error keeps all but its class on the way from a thread. */
const asThrown = (error: Error & { readonly hint?: string }): Error => {
  const { name, message, hint, cause } = error
  return name === 'UserError' ? new UserError(message, { hint, cause }) : error
}
