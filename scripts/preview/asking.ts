/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

// What a page asks of the preview, in a browser.

export type Answer = {
  readonly status: number
  readonly said?: string
  /** The page that shows what was done. */
  readonly to?: string
  /** What the key of a picture is to say. */
  readonly value?: string
  /** What elements of the page hold now, by their ids: markup. */
  readonly parts?: Readonly<Record<string, string>>
}

/** The right to edit comes with the address that the terminal shows, and stays in this browser. */
export const keepKey = (): void => {
  const given = /^#edit=([\w-]+)$/.exec(location.hash)?.[1]
  if (given === undefined) return
  localStorage.setItem('shotpress-edit', given)
  history.replaceState(null, '', location.pathname + location.search)
}

/** Asks the preview for something that only its own pages may ask for. */
export const ask = async (path: string, data: object): Promise<Answer> => {
  keepKey()
  const key = localStorage.getItem('shotpress-edit') ?? ''
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Shotpress-Edit': key },
      body: JSON.stringify(data),
    })
    const isData = answer.headers.get('Content-Type')?.startsWith('application/json')
    return {
      ...(isData ? await answer.json() : { said: await answer.text() }),
      status: answer.status,
    }
  } catch {
    return { status: 0, said: 'The preview does not answer: nothing was saved' }
  }
}

/** Parts as they were shown last: what stays is not said again. */
const shown = new Map<string, string>()

/** Shows an answer where a form or the bar says what became of it, and at the fields. */
export const showAnswer = (at: Element, { said = '', status, parts = {} }: Answer): void => {
  const place = at.querySelector('.sp-said')
  place?.replaceChildren(said)
  place?.classList.toggle('sp-bad', status !== 200)
  for (const [id, markup] of Object.entries(parts)) {
    const element = document.getElementById(id)
    // a button that is being pressed stays until it is done
    if (shown.get(id) === markup || element === null || element.matches(':active')) continue
    shown.set(id, markup)
    element.innerHTML = markup
    document
      .getElementById(id.replace(/^e-/, 'f-'))
      ?.setAttribute('aria-invalid', String(markup !== ''))
  }
}

/** Whether something is being done, and the page may be left for what shows it. */
export let isActing = false

/** Has something done, and goes to the page that shows it. Says whether it was done. */
export const act = async (at: Element, data: object, onDone = () => {}): Promise<boolean> => {
  isActing = true
  const answer = await ask('/-/do', data)
  showAnswer(at, answer)
  isActing = answer.to !== undefined
  if (answer.to === undefined) return false
  onDone()
  location.assign(answer.to)
  return true
}
