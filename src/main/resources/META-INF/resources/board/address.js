/**
 * The board's address. It names the page, the page's query, and the view: the search text, the filters of the gang list, the grouping of nodes, and the
 * visible time range. Default values are left out. A link inside the board names only a page and leaves the view alone. A bookmarked address restores
 * the whole view.
 */
const VIEW = ['q', 'show', 'show-queue', 'group', 'from', 'span'];
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

  /** `view` returns the view's values by key; null for a default. */
  constructor(view) {
    this.#view = view;
    this.asked = new URLSearchParams();
  }

  /** Whether the board itself wrote the current address, and no link led there. */
  get kept() {
    return history.state?.view === true;
  }

  /** Schedules a write of the view. Many changes lead to one write. */
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
