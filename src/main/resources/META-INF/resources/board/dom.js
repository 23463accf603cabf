/** Small helpers for the DOM. */

export const $ = id => document.getElementById(id);

/**
 * Creates an element: `h('a.big', { href: '#' }, 'text', child)`. Attributes that are null or false are left out; `on...` are listeners. Text
 * is always inserted as text, never as markup.
 */
export function h(kind, attributes = {}, ...children) {
  const [name, ...classes] = kind.split('.');
  const element = document.createElement(name);
  if (classes.length) {
    element.className = classes.join(' ');
  }
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) {
      element.addEventListener(key.slice(2), value);
    } else if (value === true) {
      element.setAttribute(key, '');
    } else if (value != null && value !== false) {
      element.setAttribute(key, value);
    }
  }
  element.append(...children.flat().filter(child => child != null && child !== false));
  return element;
}

/** Creates an SVG element. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value != null) {
      element.setAttribute(key, value);
    }
  }
  element.append(...children.filter(child => child != null));
  return element;
}

/** Sets an element's text only if it differs, which avoids needless layout. */
export function say(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/**
 * Makes the children of a list match these items. Each child is created once by its key and then updated in place, so that focus and position
 * stay.
 */
export function reconcile(parent, items, key, make, update) {
  const known = parent.known ??= new Map();
  const wanted = new Set();
  let place = parent.firstChild;
  for (const item of items) {
    const id = key(item);
    wanted.add(id);
    let element = known.get(id);
    if (!element) {
      element = make(item);
      known.set(id, element);
    }
    update(element, item);
    if (element === place) {
      place = place.nextSibling;
    } else {
      parent.insertBefore(element, place);
    }
  }
  for (const [id, element] of known) {
    if (!wanted.has(id)) {
      element.remove();
      known.delete(id);
    }
  }
}

const TAIL = 8;

/**
 * A name that is shortened in the middle where there is little room, because names differ in the numbers and hashes at their ends. Screen
 * readers get the whole name.
 */
export function name(element, text) {
  if (element.named === text) {
    return;
  }
  element.named = text;
  const long = text.length > TAIL + 4;
  element.classList.toggle('name-parts', long);
  if (long) {
    const hidden = { 'aria-hidden': 'true' };
    element.replaceChildren(h('span.head', hidden, text.slice(0, -TAIL)), h('span.tail', hidden, text.slice(-TAIL)), h('span.unseen', {}, text));
  } else {
    element.textContent = text;
  }
}
