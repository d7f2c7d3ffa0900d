/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Forms in a browser: what is typed is checked and shown at once, and nothing is written before Save. */

type Value = string | readonly Value[] | { readonly [key: string]: Value }
type Answer = {
  readonly status: number
  readonly said?: string
  readonly hint?: string
  readonly to?: string
  readonly value?: string
  readonly base?: string
  readonly view?: string
  readonly problems?: readonly { key: string; severity: string; message: string; hint?: string }[]
  readonly theirs?: Readonly<Record<string, string>>
}

/** The right to edit comes with the address that the terminal shows, and stays in this browser. */
const tokenOf = (): string => {
  const given = /^#edit=([\w-]+)$/.exec(location.hash)?.[1]
  if (given !== undefined) {
    localStorage.setItem('shotpress-edit', given)
    history.replaceState(null, '', location.pathname + location.search)
  }
  return localStorage.getItem('shotpress-edit') ?? ''
}

/** Asks the preview for something that only its own pages may ask for. */
export const ask = async (path: string, data: object): Promise<Answer> => {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Shotpress-Edit': tokenOf() },
      body: JSON.stringify(data),
    })
    const text = await answer.text()
    const body: object = answer.headers.get('Content-Type')?.includes('json')
      ? JSON.parse(text)
      : { said: text }
    return { ...body, status: answer.status }
  } catch {
    return { status: 0, said: 'The preview does not answer: nothing was saved' }
  }
}

const act = (action: string, data: object): Promise<Answer> => ask('/-/do', { ...data, action })

const say = (form: Element, { said = '', hint = '', status }: Answer): void => {
  const place = form.querySelector('.sp-said')!
  place.textContent = hint === '' ? said : `${said}: ${hint}`
  place.classList.toggle('sp-bad', status !== 200)
}

/** A picture as it is sent: in Base64. */
const base64Of = (file: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('loadend', () => resolve(String(reader.result).replace(/^.*,/, '')))
    reader.readAsDataURL(file)
  })

/** Pictures that are chosen, dropped or pasted into an element. */
const onPictures = (place: HTMLElement, take: (files: readonly File[]) => void): void => {
  const input = place.querySelector<HTMLInputElement>('input[type=file]')!
  const filesOf = (event: Event): FileList | null | undefined => {
    if (event instanceof DragEvent) return event.dataTransfer?.files
    return event instanceof ClipboardEvent ? event.clipboardData?.files : input.files
  }
  for (const type of ['change', 'drop', 'paste']) {
    place.addEventListener(type, (event) => {
      const files = [...(filesOf(event) ?? [])]
      place.classList.remove('sp-over')
      if (files.length > 0 || type === 'drop') event.preventDefault()
      if (files.length === 0) return
      take(files)
      input.value = ''
    })
  }
  place.addEventListener('dragover', (event) => {
    event.preventDefault()
    place.classList.add('sp-over')
  })
  place.addEventListener('dragleave', () => place.classList.remove('sp-over'))
}

const element = (tag: string, textContent: string): HTMLElement =>
  Object.assign(document.createElement(tag), { textContent })

/** How each control gives its value. */
const readers: Readonly<Record<string, (field: HTMLElement) => Value>> = {
  words: (field) => [
    ...[...field.querySelectorAll('.sp-chips bdi')].map(({ textContent }) => textContent),
    ...wordsOf(field),
  ],
  rows: (field) =>
    [...field.querySelectorAll('li')].map((row) =>
      Object.fromEntries(
        [...row.querySelectorAll('input')].flatMap(({ dataset, value }) =>
          value === '' ? [] : [[dataset.name!, value]],
        ),
      ),
    ),
  flag: (field) => (field.querySelector('input')!.checked ? 'true' : ''),
  date: (field) => {
    const { type, value } = field.querySelector('input')!
    if (type !== 'datetime-local' || value === '') return value
    const [day, time = ''] = value.split('T')
    const whole = time.length === 5 ? `${time}:00` : time.slice(0, 8)
    return whole === '00:00:00' ? day! : `${day} ${whole}`
  },
}

/** Words that were typed and are no chips yet. No word holds a comma or a space. */
const wordsOf = (field: HTMLElement): readonly string[] =>
  field
    .querySelector('input')!
    .value.split(/[\s,]+/)
    .filter(Boolean)

/** Makes chips of the words that were typed. */
const addChips = (field: HTMLElement): void => {
  for (const word of wordsOf(field)) {
    const chip = field.querySelector('template')!.content.cloneNode(true) as DocumentFragment
    chip.querySelector('bdi')!.textContent = word
    chip.querySelector('button')!.setAttribute('aria-label', `Remove ${word}`)
    field.querySelector('ul')!.append(chip)
  }
  field.querySelector('input')!.value = ''
}

const typedIn = (field: HTMLElement): Value =>
  readers[field.dataset.control ?? '']?.(field) ??
  field.querySelector<HTMLInputElement>('input,textarea,select')?.value ??
  ''

const editing = (form: HTMLFormElement): void => {
  const fields = [...form.querySelectorAll<HTMLElement>('.sp-field')]
  const keyOf = (field: HTMLElement): string => field.dataset.key!
  const first = new Map(fields.map((field) => [keyOf(field), JSON.stringify(typedIn(field))]))
  const conflict = form.querySelector<HTMLElement>('.sp-conflict')!
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  const dirty = (): Record<string, Value> =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const value = typedIn(field)
        return JSON.stringify(value) === first.get(keyOf(field)) ? [] : [[keyOf(field), value]]
      }),
    )
  const request = () => ({ file: form.dataset.file, base: form.dataset.base, values: dirty() })

  const tellProblems = ({ problems = [] }: Answer): void => {
    for (const field of fields) {
      const own = problems.filter(({ key }) => key === keyOf(field))
      const words = own
        .map(({ message, hint }) => (hint === undefined ? message : `${message}: ${hint}`))
        .join('; ')
      const place = field.querySelector('.sp-error')!
      if (place.textContent !== words) place.textContent = words
      field.querySelector('[id^=f-]')?.setAttribute('aria-invalid', String(own.length > 0))
    }
  }

  const check = async (): Promise<void> => {
    const number = ++asked
    const answer = await ask('/-/check', request())
    if (number !== asked) return
    tellProblems(answer)
    say(form, answer)
    if (answer.view === undefined) return
    const page = new DOMParser().parseFromString(answer.view, 'text/html')
    document.getElementById('sp-view')!.replaceChildren(...page.body.childNodes)
    leadAside()
  }
  const later = (): void => {
    clearTimeout(timer)
    timer = setTimeout(check, 250)
  }

  const finish = (answer: Answer): void => {
    say(form, answer)
    if (answer.status === 200 && answer.to !== undefined) location.assign(answer.to)
    if (answer.theirs !== undefined) offer(answer)
  }

  /** The file was changed on the disk: both versions, to choose from. */
  const offer = ({ theirs = {}, base = '' }: Answer): void => {
    const list = conflict.querySelector('dl')!
    list.replaceChildren()
    for (const [key, value] of Object.entries(dirty())) {
      list.append(element('dt', `${key} on the disk`), element('dd', theirs[key] ?? ''))
      list.append(element('dt', `${key} here`), element('dd', JSON.stringify(value)))
    }
    conflict.dataset.base = base
    conflict.hidden = false
    conflict.querySelector('button')!.focus()
  }

  form.addEventListener('input', later)
  form.addEventListener('change', later)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    clearTimeout(timer)
    asked++
    conflict.hidden = true
    finish(await act('save', request()))
  })

  for (const field of fields) {
    const input = field.querySelector('input')
    // not when the field is left: what a click is about to hit would move
    field.addEventListener('keydown', (event) => {
      if (
        event.target !== input ||
        field.dataset.control !== 'words' ||
        !input?.value ||
        !['Enter', ',', ' '].includes(event.key)
      )
        return
      event.preventDefault()
      addChips(field)
    })
    const drop = field.querySelector<HTMLElement>('.sp-drop')
    if (drop === null) continue
    onPictures(drop, async ([file]) => {
      const picture = await base64Of(file!)
      const answer = await act('picture', { file: form.dataset.file, key: keyOf(field), picture })
      say(form, answer)
      if (answer.value !== undefined) input!.value = answer.value
      later()
    })
  }
  form.addEventListener('click', async ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return
    const field = target.closest('.sp-field')
    if (target.matches('.sp-more')) {
      field!.querySelector('ul')!.append(field!.querySelector('template')!.content.cloneNode(true))
      field!.querySelector<HTMLElement>('li:last-child input')!.focus()
    }
    if (target.matches('.sp-less')) {
      target.closest('li')!.remove()
      field!.querySelector<HTMLElement>('[id^=f-]')!.focus()
    }
    if (field !== null) later()
    if (target.dataset.act === 'mine') {
      form.dataset.base = conflict.dataset.base
      form.requestSubmit()
    }
    if (target.dataset.act === 'reload') location.reload()
    if (target.dataset.act === 'delete') finish(await act('delete', request()))
  })
  void check()
}

/** A form that makes something new, or renames. */
const doing = (form: HTMLFormElement): void => {
  const { act: action = '', ...about } = { ...form.dataset }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const alias = form.querySelector<HTMLInputElement>('[name=alias]')?.checked
    const answer = await act(action, { ...about, ...Object.fromEntries(new FormData(form)), alias })
    say(form, answer)
    if (answer.to !== undefined) location.assign(answer.to)
  })
  const drop = form.querySelector<HTMLElement>('.sp-drop')
  if (drop === null) return
  onPictures(drop, async (files) => {
    const done: string[] = []
    for (const file of files) {
      const answer = await act(action, { ...about, name: file.name, picture: await base64Of(file) })
      say(form, { ...answer, said: `${file.name}: ${answer.said}` })
      if (answer.status !== 200) return
      done.push(answer.to!)
    }
    if (done[0] !== undefined) location.assign(files.length === 1 ? done[0] : `/members/${about.username}/`)
  })
}

/** Links of the view open beside the form, in which something may be typed. */
const leadAside = (): void => {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#sp-view a')) link.target = '_blank'
}

/** Why this browser may not edit; `''` if it may. */
let locked = ''

/** Makes the forms of a page work, if this browser has the key of the session. */
export const prepareForms = async (): Promise<void> => {
  tokenOf()
  addEventListener('hashchange', tokenOf)
  const forms = document.querySelectorAll<HTMLFormElement>('#sp-form, .sp-do')
  leadAside()
  const { status, said = '' } = forms.length > 0 ? await ask('/-/check', {}) : { status: 200 }
  if (status === 403) {
    locked = said
    const words = element('p', said)
    words.className = 'sp-box'
    document.querySelector('.sp-page h1')!.after(words)
    // another tab has got the key
    addEventListener('storage', () => location.reload())
    return
  }
  for (const form of forms) form.id === 'sp-form' ? editing(form) : doing(form)
  document.addEventListener('click', async ({ target }) => {
    if (!(target instanceof HTMLElement) || target.dataset.act !== 'undo') return
    const answer = await act('undo', {})
    if (answer.status === 200) return location.reload()
    target.textContent = answer.said ?? ''
  })
  enableForms()
}

/** Forms come disabled: nothing is typed or sent before the script listens. */
export const enableForms = (): void => {
  if (locked !== '') return
  for (const one of document.querySelectorAll<HTMLFieldSetElement | HTMLButtonElement>(
    'fieldset, [data-act=undo]',
  )) {
    one.disabled = false
  }
}
