/**
 * The address names the page, what is asked there, and the view: what is searched for, which gangs are listed, how nodes are grouped, which seconds are
 * in sight. What is as usual is left out. A link inside the board names a page only, and the view stays; an address that was kept is a whole view.
 */
const VIEW = ['q', 'show', 'group', 'from', 'span'];
const PAUSE = 250;

/** The parts of a hash such as `#/quote?size=4&q=spot`. */
export function read(hash) {
  const [path, query] = hash.replace(/^#/, '').split('?');
  const all = new URLSearchParams(query);
  const view = {};
  for (const key of VIEW) {
    if (all.has(key)) {
      view[key] = all.get(key);
    }
    all.delete(key);
  }
  return { path: path || '/', asked: all, view };
}

export class Address {
  #view;
  #timer = 0;

  /** `view` answers what is to be kept, by key; what is as usual is null there. */
  constructor(view) {
    this.#view = view;
    this.asked = new URLSearchParams();
  }

  /** Whether what stands in the address now was written by this page, or is the one that it was opened with. */
  get kept() {
    return history.state?.view === true;
  }

  /** Writes the view down soon; many changes are one. */
  soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write(), PAUSE);
  }

  write() {
    clearTimeout(this.#timer);
    const { path } = read(location.hash);
    const query = new URLSearchParams(this.asked);
    for (const [key, value] of Object.entries(this.#view())) {
      if (value != null && value !== '') {
        query.set(key, value);
      }
    }
    const text = query.toString().replaceAll('%2F', '/').replaceAll('%3A', ':');
    const hash = `#${path}${text ? `?${text}` : ''}`;
    if (hash !== (location.hash || '#/') || !this.kept) {
      history.replaceState({ view: true }, '', hash);
    }
  }
}
