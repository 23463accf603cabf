import { ask, refusal } from './answers.js';
import { h, reconcile, say, svg } from './dom.js';
import { linkTo } from './gang-page.js';
import { area, scatter } from './scatter.js';
import { amount, moment, plural, resourceName, second } from './words.js';

/** The tree of queues: what each is guaranteed, uses, borrows and lends, its use over time, and the gangs that wait in it. */
const PAUSE = 5_000;
const STEP = 50;
const MOST_NAMED = 5;
const MOST_INDENTED = 4;
const SIZE = { width: 400, height: 110, left: 64 };

export class QueuesPage {
  #asked = -Infinity;
  #queues = [];
  #most = STEP;

  /** `list` is called with a queue when the link to its gangs is followed. */
  constructor(place, model, now, list) {
    this.model = model;
    this.now = now;
    this.list = list;
    this.status = h('p', { role: 'status' }, 'Loading…');
    this.tree = h('ul.queues');
    this.more = h('button.more', { type: 'button', hidden: true, onclick: () => this.#showMore() });
    place.replaceChildren(
      h('div.scroller.page', { tabindex: 0, role: 'group', 'aria-label': 'Queues' },
        h('h1', {}, 'Queues'),
        h('p.lead', {}, 'The area is what gangs use and are promised, until the last window ends. The line is the guarantee, the dashed line the limit. Amounts include the queues below.'),
        this.status,
        this.tree,
        this.more,
      ),
    );
    this.update();
  }

  update() {
    if (this.model.head?.queues && performance.now() > this.#asked + PAUSE) {
      this.#ask();
    }
  }

  #showMore() {
    this.#most += STEP;
    this.#show();
  }

  async #ask() {
    this.#asked = Infinity;
    const { body, ...failure } = await ask('/api/v1/queues');
    this.#asked = performance.now();
    say(this.status, body ? '' : refusal(failure, 'The tree of queues'));
    if (body) {
      this.#queues = withPaths(body.queues);
      this.#show();
    }
  }

  #show() {
    const gangs = Map.groupBy(this.model.gangs.values(), gang => gang.queue);
    const waiting = waitingBelow(this.#queues, gangs);
    reconcile(
      this.tree,
      this.#queues.slice(0, this.#most),
      queue => queue.queue,
      ({ queue }) => h('li.queue', {}, h('div.titled', {}, h('h2', {}, queue), h('a', { href: '#/', onclick: () => this.list(queue) })), h('p'), h('div'), h('ul')),
      (element, queue) => fill(element, queue, { gangs: gangs.get(queue.queue) ?? [], waiting: waiting.get(queue.queue) }, this.now()),
    );
    const rest = this.#queues.length - this.#most;
    this.more.hidden = rest <= 0;
    say(this.more, plural(rest, 'more queue'));
  }
}

/** Adds to each queue the names from the root to itself. A queue is behind its parent, whose level is one less. */
function withPaths(queues) {
  let path = [];
  return queues.map(queue => {
    path = [...path.slice(0, queue.level), queue.queue];
    return { ...queue, path };
  });
}

const waits = gang => gang.phase === 'Pending' || gang.phase === 'Broken';

/** The numbers of gangs that wait, by queue, with those of the queues below. */
function waitingBelow(queues, gangs) {
  const counts = new Map();
  queues.forEach(({ queue, path }) => {
    const waiting = (gangs.get(queue) ?? []).filter(waits).length;
    path.forEach(above => counts.set(above, (counts.get(above) ?? 0) + waiting));
  });
  return counts;
}

function fill(element, { queue, level, path, resources }, { gangs, waiting }, now) {
  const [titled, note, uses, named] = element.children;
  element.style.setProperty('--level', Math.min(level, MOST_INDENTED));
  titled.lastChild.hidden = gangs.length === 0;
  say(titled.lastChild, plural(gangs.length, 'gang'));
  say(note, [level > 0 && `Below ${path[level - 1]}`, waiting > 0 && `${waiting} waiting`].filter(part => part).join(', '));
  uses.replaceChildren(...resources.filter(isStated).flatMap(use => [h('p', {}, h('b', {}, resourceName(use.resource)), ` ${words(use)}`), picture(queue, use, now)]));
  const ids = gangs.filter(waits).map(gang => gang.id).sort();
  const more = ids.length - MOST_NAMED;
  reconcile(named, more > 0 ? [...ids.slice(0, MOST_NAMED), ''] : ids, id => id, id => h('li', {}, id && linkTo(id), id && ' waits'), (item, id) => id || say(item, `and ${plural(more, 'more gang')}`));
}

const isStated = use => use.guarantee > 0 || use.limit !== null || use.used > 0 || use.promised > 0;

function words({ resource, guarantee, limit, used, promised, borrowed, lent, sharePercent }) {
  const shown = value => amount(resource, value);
  return [
    `${shown(used)} used`,
    guarantee > 0 && `${shown(guarantee)} guaranteed`,
    limit !== null && `limit ${shown(limit)}`,
    promised > 0 && `${shown(promised)} promised`,
    borrowed > 0 && `${shown(borrowed)} borrowed`,
    lent > 0 && `${shown(lent)} lent`,
    sharePercent !== null && `${Math.round(sharePercent)} % of its share`,
  ].filter(part => part).join(', ');
}

/** The use over time as an area, with the guarantee and the limit as lines. */
function picture(queue, { resource, steps }, now) {
  const { left, right, top, bottom } = area(SIZE);
  const [start, end] = [second(steps[0].start), second(steps.at(-1).end)];
  const most = Math.max(1, ...steps.flatMap(step => [step.use, step.guarantee, step.limit ?? 0]));
  const x = instant => (left + ((second(instant) - start) / (end - start)) * (right - left)).toFixed(1);
  const y = value => (bottom - (value / most) * (bottom - top)).toFixed(1);
  const line = key => steps.filter(step => step[key] > 0).map(step => `M${x(step.start)} ${y(step[key])}H${x(step.end)}`).join('');
  const use = steps.map(step => `V${y(step.use)}H${x(step.end)}`).join('');
  const peak = Math.max(...steps.map(step => step.use));
  return scatter(
    SIZE,
    {
      kind: 'pareto',
      label: `${resourceName(resource)} of ${queue} until ${moment(end, now)}: ${amount(resource, steps[0].use)} now, at most ${amount(resource, peak)}`,
      high: { at: top, word: amount(resource, most) },
      low: { at: bottom, word: '0' },
      first: { at: left, word: 'now' },
      last: { word: moment(end, now) },
    },
    svg('path', { class: 'use', d: `M${left} ${bottom}${use}V${bottom}Z` }),
    svg('path', { class: 'steps', d: line('guarantee') }),
    svg('path', { class: 'limit', d: line('limit') }),
  );
}
