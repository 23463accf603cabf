import { ask, refusal } from './answers.js';
import { h, svg } from './dom.js';
import { FormField } from './fields.js';
import { linkTo, table } from './gang-page.js';
import { area, scatter } from './scatter.js';
import { duration, exact, money, moment, second } from './words.js';

/**
 * The quote form: from a gang's requirements to every Pareto-optimal (start, cost). Nothing is created. The form's fields are the request's
 * parameters, so that an address can name a quote.
 */
const FIELDS = [
  { name: 'size', label: 'Pods', type: 'number', min: 1, max: 10000, value: '4', required: true, hint: 'start together' },
  { name: 'runtime', label: 'Runtime', value: '1h', required: true, hint: 'as 90s, 1h30m or 2d' },
  { name: 'cpu', label: 'CPU each', value: '4', required: true, hint: 'cores, as 4 or 500m' },
  { name: 'memory', label: 'Memory each', value: '16Gi', hint: 'as 16Gi' },
  { name: 'nvidia.com/gpu', label: 'GPUs each', type: 'number', min: 0, max: 64, value: '', hint: 'nvidia.com/gpu' },
  { name: 'budget', label: 'Budget', value: '', hint: 'for the whole gang; empty: none' },
  { name: 'value-of-time', label: 'Value of an hour', value: '', hint: 'that it ends earlier, such as 2.50, or 2.50 until an instant; empty: nothing' },
];
const MORE = [
  { name: 'earliest-start', label: 'Earliest start', value: '', hint: 'as 2030-01-01T08:00:00Z' },
  { name: 'deadline', label: 'Deadline', value: '', hint: 'ends no later' },
  { name: 'after', label: 'Starts after', value: '', hint: 'gangs, as GANG or NAMESPACE/GANG, with commas' },
  { name: 'after-transfer', label: 'Moved before', value: '', hint: 'from those, as 10Gi' },
  { name: 'criterion', label: 'Criterion', choices: ['start', 'finish', 'runtime', 'cost', 'processor-time', 'energy', 'value', 'preference'], hint: 'which window is best' },
  { name: 'preferred-start', label: 'Preferred start', value: '', hint: 'as 2030-01-01T14:00:00Z, or with weight 2 behind it' },
  { name: 'preferred-finish', label: 'Preferred end', value: '', hint: 'at the latest, as 2030-01-01T18:00:00Z weight 0.5' },
  { name: 'preferred-cost', label: 'Preferred cost', value: '', hint: 'at most, as 5 or 5 weight 2' },
  { name: 'max-price', label: 'Highest price', value: '', hint: 'per pod and hour' },
  { name: 'price-limit', label: 'That price limits', choices: ['total', 'slot'], hint: 'the sum, or each pod’s slot' },
  { name: 'max-per-node', label: 'Pods on a node', type: 'number', min: 1, max: 10000, value: '', hint: 'at most' },
  { name: 'topology', label: 'All in one', value: '', hint: 'a node label’s key' },
  { name: 'topology-preferred', label: 'Rather in one', value: '', hint: 'a node label’s key' },
  { name: 'topology-patience', label: 'Waits for that', value: '', hint: 'at most, as 20m, or 50% of the runtime' },
  { name: 'distance-cost', label: 'Runtime by distance', value: '', hint: 'as rack=1, block=1.15, cluster=1.6' },
  { name: 'topology-slice', label: 'Parts in one', value: '', hint: 'as rack/16, kubernetes.io/hostname/4' },
  { name: 'node-selector', label: 'Nodes with', value: '', hint: 'KEY=VALUE, separated by commas' },
  { name: 'lockstep', label: 'Pods end', choices: ['false', 'true'], usual: 'as usual', hint: 'true: all with the slowest' },
  { name: 'resource', label: 'Other resource', value: '', hint: 'as example.com/fpga=1' },
  { name: 'ephemeral-storage', label: 'Storage each', value: '', hint: 'as 50Gi' },
  { name: 'namespace', label: 'Namespace', value: '', hint: 'whose budget counts' },
];

export class QuotePage {
  /** `asked` is called with each request, so that the address can name it. */
  constructor(place, model, now, parameters, asked) {
    this.now = now;
    this.asked = asked;
    this.gang = parameters.get('gang');
    this.result = h('div.result', { 'aria-live': 'polite' });
    const given = field => (parameters.size ? parameters.get(field.name) ?? '' : null);
    this.fields = FIELDS.map(field => new FormField('quote', field, given(field)));
    this.more = MORE.map(field => new FormField('quote', field, given(field)));
    const open = this.more.some(field => field.value);
    this.form = h(
      'form.quote',
      { novalidate: true },
      this.fields.map(field => field.element),
      h('details.more-fields', { open }, h('summary', {}, 'More that a gang can ask for'), h('div.quote', {}, this.more.map(field => field.element))),
      h('button.main', { type: 'submit' }, 'Quote'),
    );
    this.form.addEventListener('submit', event => {
      event.preventDefault();
      this.#ask();
    });
    place.replaceChildren(
      h('div.scroller.page', { tabindex: 0, role: 'group', 'aria-label': 'Form and menu' },
        h('h1', {}, 'Quote'),
        this.gang
          ? h('p.lead', {}, 'What ', linkTo(this.gang), ' could have now, next to what runs and what is promised. ', h('a', { href: '#/quote?size=4&runtime=1h&cpu=4&memory=16Gi' }, 'Ask for another gang'))
          : h('p.lead', {}, 'Find out which windows a gang could have, next to what runs and what is promised. Nothing is created.'),
        this.gang ? null : this.form,
        this.result,
      ),
    );
    if (this.gang) {
      this.#show(new URLSearchParams({ gang: this.gang }));
    } else if (parameters.size) {
      this.#ask();
    }
  }

  update() {}

  async #ask() {
    const all = [...this.fields, ...this.more];
    // Every field is validated, so that each shows its own error.
    const wrong = all.filter(field => !field.accept());
    if (wrong.length) {
      wrong[0].focus();
      return;
    }
    const question = new URLSearchParams();
    all.forEach(field => field.value && question.set(field.name, field.value));
    this.asked(question);
    const other = question.get('resource')?.split('=');
    question.delete('resource');
    if (other) {
      question.set(other[0], other[1] ?? '');
    }
    await this.#show(question);
  }

  async #show(question) {
    this.result.replaceChildren(h('p', {}, 'Asking the planner…'));
    const { body, ...failure } = await ask(`/api/v1/quote?${question}`);
    [...this.fields, ...this.more].find(field => field.name === failure.field)?.blame();
    this.result.replaceChildren(...(body ? menu(body, question.get('budget'), second(body.now) ?? this.now()) : [h('p.failed', {}, refusal(failure, 'A quote'))]));
  }
}

function menu({ menu: windows, budget: limit, reason, preferred }, asked, now) {
  const budget = limit ?? (asked || null);
  if (!windows?.length) {
    return [h('p', {}, reason ? `No window at any budget: ${reason}.` : 'No window at any budget.')];
  }
  const within = windows.filter(window => window.withinBudget !== false);
  const first = within[0];
  const valued = windows.every(window => window.delayValue != null);
  const wished = windows.every(window => window.distance != null);
  const buys = windows.some(window => window.buys?.length);
  const together = window => Number(window.cost) + Number(window.delayValue);
  const best = valued ? within.reduce((least, window) => (least && together(least) <= together(window) ? least : window), null) : null;
  const nearest = wished ? within.reduce((least, window) => (least && Number(least.distance) <= Number(window.distance) ? least : window), null) : null;
  const word = window => (window === best ? 'worth most' : window === nearest ? 'nearest' : window === first ? 'first' : '');
  return [
    h(
      'p.lead',
      {},
      first
        ? `${budget == null ? 'The first' : 'The first within the budget'} starts ${start(first, now, 'at ')} for ${money(first.cost)}.`
        : `None is within the budget of ${exact(budget)}: the cheapest costs ${exact(Math.min(...windows.map(window => Number(window.cost))))}.`,
    ),
    best && best !== first ? h('p', {}, `Worth most: it waits ${duration(second(best.start) - second(first.start))} to save ${money(Number(first.cost) - Number(best.cost))}.`) : null,
    preferred ? h('p', {}, preferred.message) : null,
    windows.length > 1 ? picture(front(windows), budget, now) : null,
    table(
      'Possible windows, by start',
      ['Start', 'End', 'Cost', ...(valued ? ['Delay'] : []), ...(wished ? ['Distance'] : []), ...(buys ? ['Buys'] : []), ''],
      windows.map(window => ({
        cells: [
          start(window, now),
          moment(second(window.end), now),
          money(window.cost),
          ...(valued ? [money(window.delayValue)] : []),
          ...(wished ? [window.distance] : []),
          ...(buys ? [bought(window.buys)] : []),
          window.withinBudget === false ? 'over budget' : word(window),
        ],
        marked: window === first,
      })),
    ),
  ].filter(part => part);
}

/**
 * The windows without those that start no earlier and cost no less than another one, such as the window nearest to the gang's preferences.
 */
const front = windows => windows.filter((window, i) => windows.slice(0, i).every(sooner => Number(sooner.cost) > Number(window.cost)));

/** The offers of the nodes that are bought for a window, with the number of each. */
function bought(offers) {
  const counts = new Map();
  (offers ?? []).forEach(offer => counts.set(offer, (counts.get(offer) ?? 0) + 1));
  return [...counts].map(([offer, count]) => `${count} × ${offer}`).join(', ') || '–';
}

/** The start of a window. A window whose first second has passed since the request starts as soon as the gang arrives. */
const start = (window, now, at = '') => (second(window.start) <= now ? 'at once' : `${at}${moment(second(window.start), now)}`);

const SIZE = { width: 380, height: 150, left: 52 };

/** The picture of cost against start: a later start costs less. */
function picture(windows, budget, now) {
  const { left, right, top, bottom } = area(SIZE);
  const starts = windows.map(window => second(window.start));
  const costs = windows.map(window => Number(window.cost));
  const most = Math.max(...costs, Number(budget ?? 0)) * 1.08 || 1;
  const span = Math.max(1, starts.at(-1) - starts[0]);
  const x = at => left + 8 + ((at - starts[0]) / span) * (right - left - 24);
  const y = cost => top + (1 - cost / most) * (bottom - top);
  const steps = windows.map((_, i) => `${i ? `H${x(starts[i])}V${y(costs[i])}` : `M${x(starts[0])} ${y(costs[0])}`}`).join('');
  const line = budget == null ? null : svg('path', { class: 'limit', d: `M${left} ${y(Number(budget))}H${right}` });
  return scatter(
    SIZE,
    {
      kind: 'pareto',
      label: `Cost against start for ${windows.length} windows; the table has the figures`,
      high: { at: y(costs[0]), word: money(windows[0].cost) },
      low: { at: y(costs.at(-1)), word: money(windows.at(-1).cost) },
      first: { at: x(starts[0]), word: moment(starts[0], now) },
      last: { word: moment(starts.at(-1), now) },
    },
    line,
    line && svg('text', { class: 'limit-word', x: right - 2, y: y(Number(budget)) - 4, 'text-anchor': 'end' }, 'budget'),
    svg('path', { class: 'steps', d: steps }),
    ...windows.map((window, i) => svg('circle', { class: window.withinBudget === false ? 'over' : 'within', cx: x(starts[i]), cy: y(costs[i]), r: 4 })),
  );
}
