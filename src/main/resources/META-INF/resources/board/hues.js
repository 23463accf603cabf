import { namespaceOf } from './words.js';

/**
 * The hues of namespaces. A namespace gets the hue of its name's hash, or the next free one, so that it keeps its colour from day to day. If there are more
 * namespaces than hues, they share. Lightness and chroma belong to the theme, so that all hues have the same contrast.
 */
const HUES = [250, 160, 345, 75, 300, 205, 15, 120];

export class Hues {
  #of = new Map();
  #cache = new Map();

  /** Gives every namespace its hue. O(namespaces). */
  assign(namespaces) {
    const wanted = [...namespaces].sort();
    if (wanted.length === this.#of.size && wanted.every(name => this.#of.has(name))) {
      return;
    }
    const free = new Set(HUES.keys());
    this.#of = new Map();
    for (const name of wanted) {
      let place = fall(name) % HUES.length;
      if (free.size > 0) {
        while (!free.has(place)) {
          place = (place + 1) % HUES.length;
        }
        free.delete(place);
      }
      this.#of.set(name, HUES[place]);
    }
    this.reset();
  }

  get namespaces() {
    return [...this.#of.keys()];
  }

  reset() {
    this.#cache.clear();
  }

  of(namespace) {
    return this.#of.get(namespace) ?? HUES[fall(namespace) % HUES.length];
  }

  /** The fill, edge, mark and ink of a bar in the theme's colours. */
  colours(bar, theme) {
    const id = bar.gang;
    const { state } = bar;
    if (!id || state === 'foreign' || state === 'taken') {
      return this.#known(state, () => ({ fill: theme[`${state}-fill`], edge: theme[`${state}-edge`], ink: theme[`${state}-ink`] }));
    }
    const hue = this.of(namespaceOf(id));
    return this.#known(`${state} ${hue}`, () => shades(state, hue, theme));
  }

  #known(key, make) {
    let colours = this.#cache.get(key);
    if (!colours) {
      colours = make();
      this.#cache.set(key, colours);
    }
    return colours;
  }
}

function shades(state, hue, theme) {
  const of = (name, alpha) => `oklch(${theme[name]} ${hue}${alpha ? ` / ${alpha}` : ''})`;
  switch (state) {
    case 'running':
      return { fill: of('solid'), edge: of('solid'), ink: theme['solid-ink'] };
    case 'completed':
      return { fill: theme['completed-fill'], edge: of('faint'), ink: theme['completed-ink'] };
    default:
      return { fill: of('pale'), edge: of('edge'), mark: of('edge', state === 'held' ? 0.6 : 0.34), ink: of('pale-ink') };
  }
}

/** A hash of a name, the same on every machine. */
function fall(name) {
  let sum = 5381;
  for (const letter of name) {
    sum = (sum * 33 + letter.codePointAt(0)) % 4294967296;
  }
  return sum;
}
