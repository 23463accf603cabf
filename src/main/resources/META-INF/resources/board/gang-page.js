import { ask, refusal } from './answers.js';
import { commands, copyButton as copy, quoted } from './copying.js';
import { h, say } from './dom.js';
import { badge, delay, latest, price, sentence, spent } from './gangs-list.js';
import { clock, duration, exact, gangLink, money, moment, nameOf, namespaceOf, nodeLink, plural, relative, second, stretch } from './words.js';

/**
 * The page of one gang: its window or why it waits, the other windows that it could have had, why it got this one, and what would make it start
 * earlier. The row of the board shows at once. The rest is fetched when the page opens and again when the row changes. Anything that the answer
 * lacks is left out.
 */
const CRITERIA = {
  start: 'the earliest start',
  finish: 'the earliest end',
  runtime: 'the shortest runtime',
  cost: 'the lowest cost',
  'processor-time': 'the least processor time',
  energy: 'the least energy',
  value: 'the lowest cost and delay together',
  preference: 'nearest to what it prefers',
};
const MODES = {
  emct: 'one resource domain, earliest end (emct)',
  emet: 'one resource domain, shortest runtime (emet)',
};
const CHANGES = {
  budget: value => `a budget of ${exact(value)}`,
  'budget-and-criterion': value => `a budget of ${exact(value.split(', ')[0])} with the criterion ${value.split(', ')[1]}`,
  'max-price': value => `a highest price of ${exact(value)} an hour and pod`,
  deadline: (value, now) => `a deadline of ${moment(second(value), now)}`,
  'gang-size': value => plural(Number(value), 'pod'),
  runtime: value => `a runtime of ${value}`,
  criterion: value => `the criterion ${value}`,
  'max-per-node': value => `up to ${value} pods on one node`,
  topology: () => 'nodes of any domain',
  lockstep: () => 'pods that each end independently',
  'earliest-start': () => 'no earliest start',
  'namespace-budget': value => `${value} in the namespace’s budget`,
  'queue-budget': value => `${value} in the queue’s budget`,
};

export class GangPage {
  #answer = null;
  #failure = null;
  #signature = null;

  constructor(place, model, now, id) {
    this.model = model;
    this.now = now;
    this.id = id;
    this.title = h('h1', {}, nameOf(id));
    this.phase = h('span.phase');
    this.lead = h('p.lead');
    this.meter = h('span.meter', { 'aria-hidden': 'true' }, h('s'));
    this.body = h('div.answer', { 'aria-live': 'off' });
    place.replaceChildren(
      h('a.back', { href: '#/' }, '← All gangs'),
      h('div.scroller.gang', { tabindex: 0, role: 'group', 'aria-label': 'All about this gang' },
        h('p.kicker', {}, namespaceOf(id)),
        h('div.titled', {}, this.title, this.phase),
        this.lead,
        this.meter,
        this.body,
      ),
    );
    this.update();
  }

  get row() {
    return this.model.gangs.get(this.id);
  }

  update() {
    const { row } = this;
    if (!row) {
      this.phase.hidden = true;
      this.meter.hidden = true;
      say(this.lead, this.model.loaded ? `No gang ${this.id} is known. Its record goes an hour after its end, and with its pods.` : 'Not known yet.');
      this.body.replaceChildren();
      return;
    }
    this.phase.hidden = false;
    badge(this.phase, row.phase);
    say(this.lead, summary(row, this.model.barsOf(this.id), this.now()));
    spent(this.meter, row);
    const signature = JSON.stringify(row);
    if (signature !== this.#signature) {
      this.#signature = signature;
      this.#draw();
      this.#ask();
    }
  }

  async #ask() {
    const path = `/api/v1/gangs/${encodeURIComponent(namespaceOf(this.id))}/${encodeURIComponent(nameOf(this.id))}`;
    const { body, ...failure } = await ask(path);
    this.#answer = body ? { ...body, at: this.now() } : null;
    this.#failure = body ? null : refusal(failure, 'More about this gang');
    this.#draw();
  }

  #draw() {
    const { row } = this;
    if (row) {
      const answer = this.#answer ?? {};
      this.body.replaceChildren(
        ...[
          this.#failure ? h('p.failed', { role: 'status' }, this.#failure) : null,
          facts(row, answer, this.now()),
          moved(answer, this.now()),
          why(answer),
          purchases(answer, this.now()),
          alternatives(answer, row, this.now()),
          domains(answer, this.now()),
          advice(answer, row, this.now()),
          places(this.model.barsOf(this.id), this.now()),
          pods(answer),
          story(answer, this.now()),
          quoteLink(row),
          commands(inTerminal(row, answer)),
        ].filter(part => part),
      );
    }
  }
}

function summary(row, bars, now) {
  const nodes = new Set(bars.map(bar => bar.node)).size;
  const where = nodes ? ` on ${plural(nodes, 'node')}` : '';
  switch (row.phase) {
    case 'Promised':
      return `Starts ${relative(row.start, now)}${latest(row, now)}: ${stretch(row.start, row.end, now)}${where}.`;
    case 'Starting':
      return `Its pods are being bound${where}; they start together at ${moment(row.start, now)}.`;
    case 'Running':
      return row.end > now ? `Runs since ${moment(row.start, now)}${where}; ends ${relative(row.end, now)}.` : `Runs since ${moment(row.start, now)}${where}, past its planned end.`;
    case 'Completed':
      return `Ran ${stretch(row.start, row.end, now)}${where}.`;
    default:
      return `Waits: ${row.message}.`;
  }
}

function facts(row, answer, now) {
  const pairs = [
    ['Cost', price(row)],
    ['Delay', delay(row) && `${delay(row)}${answer.valueOfTime ? `, at ${exact(answer.valueOfTime)} an hour${answer.valueUntil ? ` until ${answer.valueUntil}` : ''}` : ''}`],
    ['Waits', saving(answer)],
    ['Criterion', wants(row, answer)],
    ['Preference', answer.preferred?.message],
    ['Queue', row.queue && (answer.position ? `${row.queue}, number ${answer.position} at ${moment(answer.at, now)}` : row.queue)],
    ['Size', row.size && plural(row.size, 'pod')],
    ['Lasts', row.start != null && row.end != null ? duration(row.end - row.start) : null],
    ['Runtime', answer.runtime?.message && sentence(answer.runtime.message)],
    ['Stated runtime', answer.runtime?.hint],
    ['Starts after', row.after?.join(', ')],
    ['First promise', promise(row, now)],
    ['Rolled back', answer.attempts ? plural(answer.attempts, 'time') : null],
    ['Left out', answer.avoided?.length ? `${answer.avoided.join(', ')}, where kube-scheduler refused it` : null],
    ['Reason', row.phase === 'Pending' || row.phase === 'Broken' ? answer.key ?? row.reason : null],
  ].filter(([, text]) => text);
  return h('dl.facts', {}, pairs.map(([term, text]) => h('div', {}, h('dt', {}, term), h('dd', {}, text))));
}

/** How long the gang waits beyond the soonest of its alternatives and what it saves by that; null if it does not wait to save. */
function saving({ choice, window }) {
  const soonest = (choice?.alternatives ?? []).reduce((first, one) => (first && first.start <= one.start ? first : one), null);
  if (!soonest || !window) {
    return null;
  }
  const wait = second(window.start) - second(soonest.start);
  const saved = Number(soonest.cost) - Number(window.cost);
  return wait > 0 && saved > 0 ? `${duration(wait)} to save ${money(saved)}` : null;
}

function wants(row, { domains: compared }) {
  return compared ? (MODES[compared.mode] ?? compared.mode) : row.criterion && (CRITERIA[row.criterion] ?? row.criterion);
}

function moved({ moved: past }, now) {
  if (!past) {
    return null;
  }
  const restart = past.overheadSeconds ? `, and ${duration(past.overheadSeconds)} for its restart` : '';
  return h(
    'section',
    {},
    h('h2', {}, `Moved ${plural(past.times, 'time')}`),
    h('p', {}, `It had ${duration(past.workSeconds)} of work left${restart}, and has paid ${money(past.spent)} so far.`),
    table(
      'Runs that a move ended, oldest first',
      ['Start', 'Moved', 'Cost'],
      past.runs.map(run => ({ cells: [moment(second(run.start), now), moment(second(run.end), now), money(run.cost)], marked: false })),
    ),
  );
}

function promise(row, now) {
  if (row.promisedStart == null) {
    return null;
  }
  const by = row.firstPromisedBy ?? row.promisedStart;
  const expected = by === row.promisedStart ? '' : `; expected first at ${moment(row.promisedStart, now)}`;
  const late = row.start == null ? null : row.start - by;
  return `by ${moment(by, now)}${late == null ? '' : late > 0 ? `, now ${duration(late)} later` : row.phase === 'Promised' ? ', stands' : ', started by then'}${expected}`;
}

function why({ choice }) {
  if (!choice?.why) {
    return null;
  }
  const loss = Number(choice.lossPercent) > 0 ? `Between its best alternative (0 %) and its worst (100 %) it got ${choice.lossPercent} %.` : null;
  return h('section', {}, h('h2', {}, 'Why this one'), h('p', {}, sentence(choice.why)), loss && h('p', {}, loss));
}

/** The nodes that are bought for the gang, or that could be bought for it. */
function purchases({ purchases: all, buying }, now) {
  if (!all?.length && !buying) {
    return null;
  }
  return h(
    'section',
    {},
    h('h2', {}, 'Nodes that are bought for it'),
    buying && h('p', {}, sentence(buying.message)),
    all?.length > 0 &&
      table(
        'Nodes that are bought, by name',
        ['Node', 'Offer', 'State', 'Bought', 'Ready', 'Cost'],
        all.map(one => ({ cells: [one.node, one.offer, one.state, moment(second(one.boughtAt), now), moment(second(one.readyAt), now), money(one.bill)] })),
      ),
  );
}

function alternatives({ choice }, row, now) {
  const all = choice?.alternatives;
  if (!all?.length) {
    return null;
  }
  return h(
    'section',
    {},
    h('h2', {}, 'Alternatives'),
    table(
      `Alternatives, best first by ${row.criterion ?? 'its criterion'}`,
      ['Start', 'End', 'Cost', ''],
      all.map(one => ({
        cells: [moment(second(one.start), now), moment(second(one.end), now), money(one.cost), one.chosen ? 'this one' : ''],
        marked: one.chosen,
      })),
    ),
  );
}

function domains({ domains: choice }, now) {
  if (!choice) {
    return null;
  }
  const { time, cost, fragmentation } = choice.weights;
  const name = domain => domain || '(no label)';
  return h(
    'section',
    {},
    h('h2', {}, 'Why this domain'),
    h('p', {}, `By time (${percent(time)}), cost (${percent(cost)}) and the room that is left (${percent(fragmentation)}); the lowest C is best.`),
    table(
      'Resource domains, best first',
      ['Domain', 'Start', 'Time', 'Cost', 'More pods', 'Distance', 'C'],
      choice.compared.map((one, i) => ({
        cells: [name(one.domain), moment(second(one.start), now), duration(one.timeSeconds), money(one.cost), `${one.morePods}`, one.distance.toFixed(3), one.closeness.toFixed(3)],
        marked: i === 0,
      })),
    ),
    choice.leftOut.length > 0 && h('ul', {}, choice.leftOut.map(one => h('li', {}, sentence(`${name(one.domain)} was left out: ${one.why}`)))),
  );
}

function percent(part) {
  return `${Math.round(part * 100)} %`;
}

function advice({ advice: all, hint }, row, now) {
  if (!all) {
    return null;
  }
  const title = row.start == null ? 'What would make it start' : all.every(one => second(one.start) < row.start) ? 'What would make it start earlier' : 'What would give it another window';
  if (!all.length) {
    return h('section', {}, h('h2', {}, title), h('p', {}, hint ? sentence(hint) : 'No change that the planner tried: no larger budget, fewer pods or other criterion.'));
  }
  return h('section', {}, h('h2', {}, title), h('ul.advice', {}, all.map(one => h('li', {}, adviceWords(one, row, now), copyButton(one)))));
}

function adviceWords(one, row, now) {
  const start = second(one.start);
  const change = CHANGES[one.change]?.(one.value, now);
  if (!change || start == null) {
    return sentence(one.message);
  }
  const gain = row.start == null ? ` (${relative(start, now)})` : start < row.start ? ` (${duration(row.start - start)} earlier)` : start > row.start ? ` (${duration(start - row.start)} later)` : '';
  return [h('b', {}, `${change[0].toUpperCase()}${change.slice(1)}`), ` starts it ${start <= now ? 'at once' : `at ${moment(start, now)}${gain}`}${one.cost == null ? '' : `, for ${exact(one.cost)}`}.`];
}

/** A button that copies an advice's annotations as they stand in a manifest. Null if the advice removes an annotation or is not about pods. */
function copyButton({ annotations }) {
  const lines = Object.entries(annotations ?? {}).map(([key, value]) => value && `${key}: ${JSON.stringify(value)}`);
  return !lines.length || lines.some(line => !line) ? null : copy(lines.join('\n'), lines.length === 1 ? 'Copy annotation' : 'Copy annotations');
}

function places(bars, now) {
  return bars.length
    ? h('section', {}, h('h2', {}, 'Where'), table('Places', ['Node', 'Pods', 'Time', 'Cost'], bars.map(bar => ({ cells: [nodeTo(bar.node), String(bar.count), stretch(bar.start, bar.end, now), money(bar.cost)] }))))
    : null;
}

/** A node's name as a link to its page. */
const nodeTo = node => h('a', { href: nodeLink(node) }, node);

const MOST_PODS = 200;

function pods({ window: its }) {
  const all = its?.placement ?? [];
  if (!all.length) {
    return null;
  }
  return h(
    'details.pods',
    {},
    h('summary', {}, plural(all.length, 'pod')),
    table('Pods', ['Pod', 'Node'], all.slice(0, MOST_PODS).map(place => ({ cells: [place.pod, nodeTo(place.node)] }))),
    all.length > MOST_PODS && h('p', {}, `And ${all.length - MOST_PODS} more.`),
  );
}

const HAPPENED = {
  Seen: 'Seen',
  WindowPromised: 'Promised',
  WindowImproved: 'Improved',
  WindowMoved: 'Moved',
  WindowBroken: 'Promise moved',
  GangStarted: 'Started',
  LateSeatsGivenUp: 'Late seats given up',
  OverrunEvicted: 'Evicted',
  EvictionRefused: 'Eviction refused',
  OverrunUnpaid: 'Overrun not paid',
  HoldEnded: 'Reservation ended',
  OverBudget: 'Over budget',
  NoWindow: 'No window',
  InvalidRequest: 'Refused',
  InternalError: 'Error',
  GangEnded: 'Completed',
};

/** The gang's history, oldest event first. */
function story({ story: events }, now) {
  if (!events?.length) {
    return null;
  }
  return h(
    'section',
    {},
    h('h2', {}, 'What happened'),
    h(
      'ol.story',
      {},
      events.map(event => {
        const at = second(event.at);
        return h(`li.${event.reason}`, {}, h('time', { datetime: event.at, title: event.at }, moment(at, now) === clock(at) ? clock(at, true) : moment(at, now)), h('div', {}, h('b', {}, HAPPENED[event.reason] ?? event.reason), ' ', sentence(event.message)));
      }),
    ),
  );
}

/** A link to a new quote, for a gang that waits or has a promise. */
function quoteLink(row) {
  return ['Pending', 'Broken', 'Promised'].includes(row.phase) && row.kind !== 'reservation'
    ? h('p', {}, h('a', { href: `#/quote?gang=${encodeURIComponent(row.id)}` }, 'Quote: all windows that this gang could have now'))
    : null;
}

const MOST_NAMED = 12;

function inTerminal(row, { window: its }) {
  const namespace = `-n ${quoted(namespaceOf(row.id))}`;
  const gang = quoted(nameOf(row.id));
  const all = its?.placement ?? [];
  const named = all.length > 0 && all.length <= MOST_NAMED && row.kind !== 'reservation' ? `kubectl get pods ${namespace} -o wide ${all.map(place => quoted(place.pod)).join(' ')}` : null;
  return [`slotwise why ${namespace} ${gang}`, `kubectl get reservations ${namespace} -l slotwise.io/gang=${gang} -o yaml`, named].filter(line => line);
}

/** A table whose last columns of figures are aligned to the right. */
export function table(caption, heads, rows) {
  const figure = head => head === 'Cost' || head === 'Pods';
  return h(
    'table',
    {},
    h('caption.unseen', {}, caption),
    h('thead', {}, h('tr', {}, heads.map(head => h(figure(head) ? 'th.figure' : 'th', { scope: 'col' }, head || h('span.unseen', {}, 'Remark'))))),
    h('tbody', {}, rows.map(row => h(row.marked ? 'tr.marked' : 'tr', {}, row.cells.map((cell, i) => h(figure(heads[i]) ? 'td.figure' : 'td', {}, cell))))),
  );
}

/** A gang's name as a link to its page. */
export const linkTo = id => h('a', { href: gangLink(id) }, id);
