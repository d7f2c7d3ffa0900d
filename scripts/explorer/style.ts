/** The stylesheet of all pages. Everything in it is ours: no font, image or rule comes from elsewhere. */
export const style = `/* Shotpress preview */
:root {
  color-scheme: light dark;
  --page: #fbfbfa;
  --card: #ffffff;
  --sunk: #f3f3f1;
  --line: #e2e2de;
  --strong-line: #84847e;
  --text: #1d1d1f;
  --quiet: #5b5b60;
  --accent: #2f4fc4;
  --bad: #a4161a;
  --bad-page: #fdf0ef;
  --bad-line: #e9b8b5;
  --mark: #ffd9d4;
  --new: #fff3c4;
  --lightness: 89%;
  --ink: 76%;
  --space: clamp(1rem, 3vw, 2rem);
  font: 100%/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #141517;
    --card: #1c1d20;
    --sunk: #222327;
    --line: #33353a;
    --strong-line: #85878f;
    --text: #ececee;
    --quiet: #a9aab2;
    --accent: #a3b6ff;
    --bad: #ff9d95;
    --bad-page: #2b1a1a;
    --bad-line: #6a3533;
    --mark: #6b2b27;
    --new: #3f3818;
    --lightness: 30%;
    --ink: 42%;
  }
}
* { box-sizing: border-box; }
/* the script keeps the reader's place: see keepPlace */
html { overflow-anchor: none; scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 0 var(--space); max-width: 100rem; background: var(--page); color: var(--text); }
h1, h2, h3, p, ul, dl, dd, pre { margin: 0; }
ul { padding: 0; list-style: none; }
h1, h2, h3 { line-height: 1.2; font-weight: 650; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.6rem, 1.2rem + 1.6vw, 2.4rem); letter-spacing: -0.015em; }
h2 { font-size: 1.25rem; }
h3 { font-size: 1rem; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 0.06em; overflow-wrap: anywhere; }
a:hover { text-decoration-thickness: 0.12em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
main:focus { outline: none; }
code, pre, .place, .code { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace; font-size: 0.86em; }
.quiet, .handle, .facts, .tally, .base, .where, .code, .count { color: var(--quiet); }
.skip { position: absolute; inset-inline-start: -100vw; }
.skip:focus { inset: 0.5rem auto auto 0.5rem; z-index: 2; padding: 0.5rem 1rem; background: var(--card); }

/* header and footer */
.top { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem; padding: 1.25rem 0; }
.top .home { display: flex; align-items: center; gap: 0.6rem; color: inherit; font-weight: 600; text-decoration: none; }
.top .home:hover span { text-decoration: underline; }
.top svg { fill: var(--accent); }
.base { flex: 1 1 10rem; font-size: 0.9rem; overflow-wrap: anywhere; }
.end { margin: 5rem 0 2rem; padding-top: 1.25rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.9rem; }
button, input { font: inherit; color: inherit; }
button { padding: 0.45rem 0.9rem; border: 1px solid var(--strong-line); border-radius: 0.6rem; background: var(--card); cursor: pointer; overflow-wrap: anywhere; }
button:hover { border-color: var(--accent); color: var(--accent); }
button b { font-weight: 600; }
.quiet-button { margin-inline: -0.9rem; border-color: transparent; background: none; color: var(--quiet); font-size: 0.9rem; }
.quiet-button[aria-pressed="true"] { border-color: var(--accent); color: var(--accent); }

/* pictures and what stands for them */
.picture { display: grid; place-items: center; overflow: hidden; background: oklch(var(--lightness) 0.035 var(--tone)); color: oklch(var(--ink) 0.06 var(--tone)); }
.picture > * { grid-area: 1 / 1; width: 100%; height: 100%; }
.picture img { object-fit: cover; }
.picture svg { fill: currentColor; }
.picture svg path { opacity: 0.55; }
.picture svg circle { opacity: 0.8; }
.work .picture.work, .picture.large { aspect-ratio: 4 / 3; border-radius: 0.8rem; }
.picture.large { width: 100%; max-height: 34rem; align-self: start; }
.picture.large img { object-fit: contain; }
.picture.avatar { inline-size: 3rem; aspect-ratio: 1; border-radius: 50%; flex: none; font-size: 1.3rem; font-weight: 600; color: var(--text); }
.picture.cover { aspect-ratio: 5 / 1; min-height: 7rem; width: 100%; border-radius: 1.2rem; }
.picture.cover.none { display: none; }
.tone-0 { --tone: 20; } .tone-1 { --tone: 65; } .tone-2 { --tone: 110; } .tone-3 { --tone: 155; }
.tone-4 { --tone: 200; } .tone-5 { --tone: 245; } .tone-6 { --tone: 290; } .tone-7 { --tone: 335; }
.images { margin: 1.5rem 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--quiet); }
.images .buttons { display: flex; flex-wrap: wrap; gap: 0.6rem; margin-top: 0.75rem; color: var(--text); }
.images .buttons:first-child { margin-top: 0; }

/* all members */
.intro { display: flex; flex-wrap: wrap; align-items: end; justify-content: space-between; gap: 1rem 2rem; margin: 1.5rem 0; }
.search { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.35rem 0.6rem; width: min(30rem, 100%); }
search { flex: 0 1 30rem; }
.search label { grid-column: 1 / -1; color: var(--quiet); font-size: 0.9rem; }
.search input { min-width: 0; padding: 0.55rem 0.9rem; border: 1px solid var(--strong-line); border-radius: 0.6rem; background: var(--card); }
.live .search button { display: none; }
.live .search input { grid-column: 1 / -1; }
.count { margin: 1.5rem 0 0.75rem; }
.members { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 0.75rem; }
.members a { display: flex; align-items: center; gap: 1rem; height: 100%; padding: 0.9rem 1.1rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); color: inherit; text-decoration: none; }
.members a:hover { border-color: var(--accent); }
.members a:hover b { text-decoration: underline; }
.members li { content-visibility: auto; contain-intrinsic-size: auto 5rem; }
.who { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.who b { display: block; font-weight: 600; }
/* names and titles stand beside pictures, whatever their direction */
.who b, .names h1, .work h3 { text-align: left; }
.tally { display: grid; justify-items: end; gap: 0.25rem; text-align: end; font-size: 0.9rem; }
.turning { display: flex; flex-wrap: wrap; gap: 1.5rem; justify-content: center; margin: 2rem 0; }
.badge { display: inline-block; padding: 0.05rem 0.55rem; border: 1px solid var(--strong-line); border-radius: 1rem; color: var(--text); font-size: 0.8rem; white-space: nowrap; }
.badge.bad { border-color: var(--bad); color: var(--bad); }

/* one member */
.person { max-width: 76rem; }
.head { display: flex; flex-wrap: wrap; align-items: end; gap: 1rem 1.5rem; margin: 1.25rem 0; }
.person .cover:not(.none) + .head { position: relative; margin-top: -2.5rem; padding-inline-start: 1.5rem; }
.head .avatar { inline-size: clamp(5rem, 14vw, 7rem); font-size: 2.4rem; border: 5px solid var(--page); box-sizing: content-box; }
.names { flex: 1 1 14rem; min-width: 0; padding-bottom: 0.4rem; }
.text { max-width: 42rem; white-space: pre-wrap; overflow-wrap: anywhere; line-break: auto; }
.bio { font-size: 1.1rem; }
.links { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0.75rem 0; }
.links:empty { display: none; }
.skills { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 1rem 0; }
.skills li, .tag { padding: 0.1rem 0.65rem; border-radius: 1rem; background: var(--sunk); overflow-wrap: anywhere; }
.skills li { font-size: 0.95rem; }
.numbers { display: flex; flex-wrap: wrap; gap: 1rem 2.25rem; margin: 1.5rem 0; }
.numbers div { display: grid; }
.numbers dt { order: 2; color: var(--quiet); font-size: 0.9rem; }
.numbers dd { font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
summary { cursor: pointer; }
.all summary { color: var(--quiet); }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 3rem; margin-top: 2.5rem; }
.content { min-width: 0; }
@media (min-width: 70rem) {
  .columns { grid-template-columns: minmax(0, 1fr) minmax(22rem, 28rem); }
  .json-side { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow: auto; }
}
.works { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); gap: 2rem 1.5rem; margin-top: 1.25rem; }
.work { min-width: 0; }
.work:has(details[open]) { grid-column: 1 / -1; padding: 1.25rem; border: 1px solid var(--line); border-radius: 1.2rem; background: var(--card); }
.work summary { display: grid; gap: 0.35rem; list-style: none; border-radius: 0.8rem; }
.work summary::-webkit-details-marker { display: none; }
.work summary:hover h3 { text-decoration: underline; text-decoration-thickness: 0.08em; text-underline-offset: 0.18em; }
.work details[open] > summary { grid-template-columns: 6rem minmax(0, 1fr); column-gap: 1rem; align-items: center; }
.work details[open] > summary .picture { grid-row: 1 / 3; }
.work h3 { margin-top: 0.35rem; }
@media (min-width: 40rem) {
  .work:has(.trouble):not(:has(details[open])) { display: grid; grid-column: 1 / -1; grid-template-columns: minmax(0, 15rem) minmax(0, 1fr); gap: 1.5rem; align-items: start; }
}
.facts { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.3rem 0.7rem; font-size: 0.9rem; overflow-wrap: anywhere; }
.facts .price { color: var(--text); font-weight: 600; }
.facts .tags { display: contents; }
.facts .tag { font-size: 0.85rem; }
.draft .picture.work, .beyond .picture.work { opacity: 0.75; }
.after { margin-top: 3.5rem; padding-top: 2rem; border-top: 2px dashed var(--line); }
p.none { margin-top: 1rem; }
.open { display: grid; gap: 1.5rem; margin-top: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }
.fields { font-size: 0.95rem; }
.fields div { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); gap: 0 1rem; padding: 0.4rem 0; border-top: 1px solid var(--line); }
.fields dt { color: var(--quiet); overflow-wrap: anywhere; }
.fields dd { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.fields .value { min-width: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.place { color: var(--quiet); font-size: 0.8rem; overflow-wrap: anywhere; }
a.place { color: var(--accent); }
.empty { color: var(--quiet); }
@media (max-width: 30rem) { .fields div { grid-template-columns: 1fr; } .person .cover:not(.none) + .head { padding-inline-start: 0.5rem; } }

/* what is wrong */
.trouble, .wrong-list { margin-top: 0.75rem; padding: 0.9rem 1.1rem; border: 1px solid var(--bad-line); border-radius: 0.9rem; background: var(--bad-page); }
.wrong-list { margin: 1.5rem 0; }
.problems { display: grid; gap: 1rem; }
.wrong-list .problems { margin-top: 0.9rem; }
.problem, .hint { overflow-wrap: anywhere; }
.problem.error strong { color: var(--bad); }
.where { overflow-wrap: anywhere; font-size: 0.9rem; }
.line { margin: 0.35rem 0; padding: 0.4rem 0.7rem; overflow-x: auto; border-radius: 0.5rem; background: var(--card); }
mark { padding: 0 0.1em; border-radius: 0.2em; background: var(--mark); color: inherit; text-decoration: underline wavy var(--bad) 1px; text-underline-offset: 0.25em; }

/* what is served */
.answer { margin-top: 1.25rem; }
.answer h3 code { font-size: 0.95rem; overflow-wrap: anywhere; }
.command { display: flex; align-items: center; gap: 0.5rem; margin-top: 0.5rem; }
.command code { flex: 1; min-width: 0; padding: 0.4rem 0.7rem; overflow-x: auto; white-space: nowrap; border-radius: 0.5rem; background: var(--sunk); }
.copy { padding: 0.2rem 0.6rem; font-size: 0.85rem; }
.json { margin-top: 0.5rem; padding: 0.8rem 0.9rem; overflow: auto; max-height: 36rem; border: 1px solid var(--line); border-radius: 0.8rem; background: var(--card); line-height: 1.6; }
.json .key { color: var(--accent); }
.variant { padding: 0 0.4em; border-radius: 0.4em; background: var(--sunk); color: var(--quiet); font-size: 0.9em; }

/* what has just changed */
.changed { animation: changed 4s ease-out; border-radius: 0.9rem; }
@keyframes changed { from { background-color: var(--new); box-shadow: 0 0 0 0.6rem var(--new); } to { background-color: transparent; box-shadow: 0 0 0 0.6rem transparent; } }
.news { position: fixed; inset-block-end: 1rem; inset-inline: 1rem; max-width: 30rem; margin: 0 auto; padding: 0.5rem 1rem; border-radius: 0.8rem; background: var(--text); color: var(--page); text-align: center; pointer-events: none; overflow-wrap: anywhere; }
.news:empty { padding: 0; background: none; }
@media (prefers-reduced-motion: reduce) {
  .changed { animation: none; outline: 2px dashed var(--accent); outline-offset: 4px; }
}
@media (forced-colors: active) { .badge, .picture, .trouble { border: 1px solid; } }
@media print { .top form, .images, .copy, .json-side { display: none; } }
`
