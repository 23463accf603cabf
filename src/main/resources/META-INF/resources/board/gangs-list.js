import { h, name as show, reconcile, say } from './dom.js';
import { matchesGang } from './rows.js';
import { alike, exact, gangLink, money, moment, nameOf, namespaceOf, plural, relative, stretch, weekday, withCurrency } from './words.js';

/** The list of gangs, and the income of owners. */
const STEP = 100;
const FILTERS = [
  ['all', 'All', () => true],
  ['waiting', 'Waiting', gang => gang.phase === 'Pending' || gang.phase === 'Broken'],
  ['promised', 'Promised', gang => gang.phase === 'Promised'],
  ['running', 'Running', gang => gang.phase === 'Running' || gang.phase === 'Starting'],
  ['completed', 'Completed', gang => gang.phase === 'Completed'],
];
const ORDER = { Broken: 0, Pending: 1, Starting: 2, Promised: 3, Running: 4, Completed: 5 };

export class GangsList {
  #filter = 'all';
  #queue = '';
  #most = STEP;

  /** `filter` and `queue` are the initial filters, `queue` empty for all; `chosen` is called with both after each later choice. */
  constructor(place, model, now, hues, { filter = 'all', queue = '', chosen = () => {} } = {}) {
    this.model = model;
    this.now = now;
    this.hues = hues;
    this.chosen = chosen;
    this.#filter = FILTERS.some(([key]) => key === filter) ? filter : 'all';
    this.#queue = queue;
    this.select = h('select', { onchange: event => this.#choose(this.#filter, event.target.value) });
    this.queues = h('label.choose.of-queue', { hidden: true }, 'Queue', this.select);
    this.tabs = h('div.tabs', { role: 'group', 'aria-label': 'Which gangs' });
    this.list = h('ul.gangs');
    this.none = h('p.none', { hidden: true });
    this.more = h('button.more', { type: 'button', hidden: true, onclick: () => this.#showMore() });
    this.income = h('div.income');
    this.notes = h('div.notes');
    this.tabs.append(...FILTERS.map(filter => this.#tab(filter)));
    place.replaceChildren(h('h1', {}, 'Gangs'), this.tabs, this.queues, h('div.scroller', { tabindex: 0, role: 'group', 'aria-label': 'List of gangs' }, this.list, this.none, this.more), this.notes, this.income);
    this.update();
  }

  get filter() {
    return this.#filter;
  }

  /** Applies the filter that an address names. */
  show(filter) {
    this.#choose(FILTERS.some(([key]) => key === filter) ? filter : 'all');
  }

  #tab([key, title]) {
    return h('button', { type: 'button', 'aria-pressed': String(key === this.#filter), onclick: () => this.#choose(key) }, title, ' ', h('b'));
  }

  #choose(key, queue = this.#queue) {
    this.#filter = key;
    this.#queue = queue;
    this.#most = STEP;
    FILTERS.forEach(([other], i) => this.tabs.children[i].setAttribute('aria-pressed', String(other === key)));
    this.update();
    this.chosen(key, queue);
  }

  #showMore() {
    this.#most += STEP;
    this.update();
  }

  update(query = this.query ?? '') {
    this.query = query;
    if (!this.model.loaded) {
      return;
    }
    const all = [...this.model.gangs.values()];
    this.#offer(new Set(all.map(gang => gang.queue).filter(queue => queue)));
    const found = all.filter(gang => !this.#queue || gang.queue === this.#queue).filter(gang => !query || matchesGang(gang.id, query) || this.#standsOn(gang, query));
    FILTERS.forEach(([, , accepts], i) => say(this.tabs.children[i].querySelector('b'), String(found.filter(accepts).length)));
    const accepts = FILTERS.find(([key]) => key === this.#filter)[2];
    const gangs = found.filter(accepts).sort(before);
    const now = this.now();
    reconcile(this.list, gangs.slice(0, this.#most), gang => gang.id, make, (element, gang) => fill(element, gang, now, this.hues));
    this.more.hidden = gangs.length <= this.#most;
    say(this.more, `${plural(gangs.length - this.#most, 'more gang')}`);
    this.none.hidden = gangs.length > 0;
    this.#sayNone(query);
    income(this.income, this.model.head);
    this.notes.replaceChildren(...this.model.head.notes.map(note => h('p', {}, note)));
  }

  /** Offers the queues of the gangs as a filter, and the chosen one even without a gang. */
  #offer(queues) {
    this.queues.hidden = queues.size === 0 && !this.#queue;
    const names = [...queues.add(this.#queue)].filter(queue => queue).sort();
    reconcile(this.select, ['', ...names], queue => queue, queue => h('option', { value: queue }, queue || 'all'), (option, queue) => (option.selected = queue === this.#queue));
  }

  #standsOn(gang, query) {
    return this.model.barsOf(gang.id).some(bar => bar.node.toLowerCase().includes(query));
  }

  #sayNone(query) {
    say(
      this.none,
      query
        ? `No gang and no gang's node has “${query}” in its name.`
        : this.#filter !== 'all' || this.#queue
          ? 'None at the moment.'
          : 'No gangs yet. One appears as soon as its first pod is seen: a pod with schedulerName slotwise and the label slotwise.io/gang.',
    );
  }
}

function before(a, b) {
  return (
    ORDER[a.phase] - ORDER[b.phase] ||
    (a.phase === 'Completed' ? (b.end ?? 0) - (a.end ?? 0) : (a.start ?? Infinity) - (b.start ?? Infinity)) ||
    (a.id < b.id ? -1 : 1)
  );
}

function make(gang) {
  return h(
    'li',
    {},
    h(
      'a',
      { href: gangLink(gang.id) },
      h('span.name', {}, h('s.hue', { 'aria-hidden': 'true' }), h('b'), h('i')),
      h('span.phase'),
      h('span.when'),
      h('span.cost'),
      h('span.meter', { 'aria-hidden': 'true' }, h('s')),
      h('span.why'),
    ),
  );
}

function fill(element, gang, now, hues) {
  const [name, phase, when, cost, meter, why] = element.firstChild.children;
  name.children[0].style.setProperty('--hue', hues.of(namespaceOf(gang.id)));
  show(name.children[1], nameOf(gang.id));
  say(name.children[2], [namespaceOf(gang.id), gang.size && plural(gang.size, 'pod'), gang.queue && `queue ${gang.queue}`].filter(part => part).join(' · '));
  badge(phase, gang.phase);
  say(when, timing(gang, now));
  say(cost, price(gang));
  spent(meter, gang);
  const waits = gang.phase === 'Pending' || gang.phase === 'Broken';
  const after = gang.phase === 'Promised' && gang.after?.length;
  why.hidden = !waits && !after;
  say(why, waits ? sentence(gang.message) : after ? `After ${gang.after.join(', ')}.` : '');
}

/** Shows a phase as a badge. Its shape differs by phase, too. */
export function badge(element, phase) {
  say(element, phase === 'Pending' || phase === 'Broken' ? 'Waiting' : phase);
  element.className = `phase ${phase.toLowerCase()}`;
}

export function timing(gang, now) {
  switch (gang.phase) {
    case 'Running':
    case 'Starting':
      return gang.end == null ? 'runs' : gang.end > now ? `ends ${relative(gang.end, now)}` : `should have ended ${relative(gang.end, now)}`;
    case 'Completed':
      return gang.end == null ? 'completed' : `completed ${relative(gang.end, now)}`;
    case 'Promised':
      return `starts ${relative(gang.start, now)}${latest(gang, now)} · ${stretch(gang.start, gang.end, now)}`;
    default:
      return '';
  }
}

export function price(gang) {
  if (gang.cost == null) {
    return gang.budget == null ? '' : `budget ${exact(gang.budget)}`;
  }
  if (gang.budget == null) {
    return money(gang.cost);
  }
  const [cost, budget] = alike(gang.cost, gang.budget);
  return `${cost} of ${withCurrency(budget)}`;
}

/** The latest promised start, if the window's start is only expected; otherwise empty. */
export const latest = (gang, now) => (gang.promisedBy == null || gang.promisedBy === gang.start ? '' : `, promised by ${moment(gang.promisedBy, now)}`);

/** The value of the delay, for a gang with a value of time; otherwise null. */
export const delay = gang => (gang.delayValue == null ? null : money(gang.delayValue));

/** Cost against budget as a bar. */
export function spent(meter, gang) {
  const share = gang.cost != null && Number(gang.budget) > 0 ? Math.min(1, Number(gang.cost) / Number(gang.budget)) : null;
  meter.hidden = share === null;
  meter.firstChild.style.width = `${(share ?? 0) * 100}%`;
}

export const sentence = text => (text ? `${text[0].toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, '.') : '');

function income(place, { income: owners, horizonEnd }) {
  const most = Math.max(...owners.map(total), 0);
  if (!place.firstChild) {
    place.append(h('h2', {}, 'Owners’ income'), h('p.note'), h('ul.owners'));
  }
  place.hidden = owners.length === 0;
  say(place.children[1], `Windows until ${weekday(horizonEnd)}; completed gangs while they are listed.`);
  reconcile(
    place.lastChild,
    [...owners].sort((a, b) => total(b) - total(a)),
    owner => owner.owner,
    () => h('li', {}, h('span.who'), h('span.bar', { 'aria-hidden': 'true' }, h('s.run'), h('s.promise')), h('span.sum'), h('span.parts')),
    (element, owner) => {
      const [who, bar, sum, parts] = element.children;
      say(who, owner.owner);
      bar.children[0].style.width = `${most ? (Number(owner.running) / most) * 100 : 0}%`;
      bar.children[1].style.width = `${most ? (Number(owner.promised) / most) * 100 : 0}%`;
      say(sum, money(total(owner)));
      say(parts, `running ${money(owner.running)}, promised ${money(owner.promised)}, completed ${money(owner.completed)}`);
    },
  );
}

const total = owner => Number(owner.running) + Number(owner.promised);
