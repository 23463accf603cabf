import { ask, refusal } from './answers.js';
import { h, svg } from './dom.js';
import { table } from './gang-page.js';
import { duration, exact, money, moment, second } from './words.js';

/**
 * The quote form: what a gang asks for in, every Pareto-optimal (start, cost) out. Nothing is created; the form's fields are the question's
 * parameters, so that a quote can be linked.
 */
const FIELDS = [
  { name: 'size', label: 'Pods', type: 'number', min: 1, max: 10000, value: '4', required: true, hint: 'start together' },
  { name: 'cpu', label: 'CPU each', value: '4', required: true, hint: 'cores, as 4 or 500m' },
  { name: 'memory', label: 'Memory each', value: '16Gi', hint: 'as 16Gi' },
  { name: 'nvidia.com/gpu', label: 'GPUs each', type: 'number', min: 0, max: 64, value: '', hint: 'nvidia.com/gpu' },
  { name: 'runtime', label: 'Runtime', value: '1h', required: true, hint: 'as 90s or 1h30m' },
  { name: 'budget', label: 'Budget', value: '', hint: 'for the whole gang; empty: none' },
  { name: 'value-of-time', label: 'Value of an hour', value: '', hint: 'that it ends earlier; empty: nothing' },
];

export class QuotePage {
  constructor(place, model, now, parameters) {
    this.now = now;
    this.inputs = new Map(FIELDS.map(field => [field.name, input(field, parameters.get(field.name))]));
    this.result = h('div.result', { 'aria-live': 'polite' });
    this.form = h(
      'form.quote',
      { novalidate: true },
      FIELDS.map(field => row(field, this.inputs.get(field.name))),
      h('button.main', { type: 'submit' }, 'Quote'),
    );
    this.form.addEventListener('submit', event => {
      event.preventDefault();
      this.#ask();
    });
    place.replaceChildren(
      h('div.scroller', { tabindex: 0, role: 'group', 'aria-label': 'Form and menu' },
        h('h1', {}, 'Quote'),
        h('p.lead', {}, 'What could a gang have, beside all that runs and all that is promised? Nothing is created.'),
        this.form,
        this.result,
      ),
    );
    if ([...parameters.keys()].length) {
      this.#ask();
    }
  }

  update() {}

  async #ask() {
    const invalid = FIELDS.find(field => !this.#accept(field));
    if (invalid) {
      this.inputs.get(invalid.name).focus();
      return;
    }
    const question = new URLSearchParams();
    for (const [name, element] of this.inputs) {
      if (element.value.trim()) {
        question.set(name, element.value.trim());
      }
    }
    history.replaceState(null, '', `#/quote?${question}`);
    this.result.replaceChildren(h('p', {}, 'Asking the planner…'));
    const { body, ...failure } = await ask(`/api/v1/quote?${question}`);
    this.#blame(failure.field);
    this.result.replaceChildren(...(body ? menu(body, this.inputs.get('budget').value.trim(), second(body.now) ?? this.now()) : [h('p.failed', {}, refusal(failure, 'A quote'))]));
  }

  /** Marks the field that a refusal is about, if it is about one. */
  #blame(field) {
    this.inputs.get(field)?.setAttribute('aria-invalid', 'true');
  }

  #accept(field) {
    const element = this.inputs.get(field.name);
    const empty = field.required && !element.value.trim();
    const wrong = empty || !element.validity.valid;
    element.setAttribute('aria-invalid', String(wrong));
    element.parentElement.querySelector('.wrong').textContent = wrong ? (empty ? 'Needed.' : `Expected a number from ${field.min} to ${field.max}.`) : '';
    return !wrong;
  }
}

const identity = field => `quote-${field.name.replace(/\W/g, '-')}`;

function input(field, given) {
  return h('input', {
    id: identity(field),
    name: field.name,
    type: field.type ?? 'text',
    min: field.min,
    max: field.max,
    value: given ?? field.value,
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': `${identity(field)}-hint`,
  });
}

const row = (field, element) =>
  h('div.field', {}, h('label', { for: identity(field) }, field.label), element, h('span.hint', { id: `${identity(field)}-hint` }, field.hint, ' ', h('span.wrong')));

function menu({ menu: windows, budget: limit, reason }, asked, now) {
  const budget = limit ?? (asked || null);
  if (!windows?.length) {
    return [h('p', {}, reason ? `No window at any budget: ${reason}.` : 'No window at any budget.')];
  }
  const within = windows.filter(window => window.withinBudget !== false);
  const first = within[0];
  const valued = windows.every(window => window.delayValue != null);
  const together = window => Number(window.cost) + Number(window.delayValue);
  const best = valued ? within.reduce((least, window) => (least && together(least) <= together(window) ? least : window), null) : null;
  return [
    h(
      'p.lead',
      {},
      first
        ? `${budget == null ? 'The first' : 'The first within the budget'} starts ${start(first, now, 'at ')} for ${money(first.cost)}.`
        : `None is within the budget of ${exact(budget)}: the cheapest costs ${money(windows.at(-1).cost)}.`,
    ),
    best && best !== first ? h('p', {}, `Worth most: it waits ${duration(second(best.start) - second(first.start))} to save ${money(Number(first.cost) - Number(best.cost))}.`) : null,
    windows.length > 1 ? picture(windows, budget, now) : null,
    table(
      'What the gang could have, by start',
      valued ? ['Start', 'End', 'Cost', 'Delay', ''] : ['Start', 'End', 'Cost', ''],
      windows.map(window => ({
        cells: [
          start(window, now),
          moment(second(window.end), now),
          money(window.cost),
          ...(valued ? [money(window.delayValue)] : []),
          window.withinBudget === false ? 'over budget' : window === best ? 'worth most' : window === first ? 'first' : '',
        ],
        marked: window === first,
      })),
    ),
  ].filter(part => part);
}

/** When a window starts; one whose first second has passed since it was asked for starts as soon as the gang is there. */
const start = (window, now, at = '') => (second(window.start) <= now ? 'at once' : `${at}${moment(second(window.start), now)}`);

const WIDTH = 380;
const HEIGHT = 150;
const LEFT = 52;
const BOTTOM = 24;
const TOP = 10;

/** Cost against start: waiting longer costs less. */
function picture(windows, budget, now) {
  const starts = windows.map(window => second(window.start));
  const costs = windows.map(window => Number(window.cost));
  const most = Math.max(...costs, Number(budget ?? 0)) * 1.08 || 1;
  const span = Math.max(1, starts.at(-1) - starts[0]);
  const x = at => LEFT + 8 + ((at - starts[0]) / span) * (WIDTH - LEFT - 24);
  const y = cost => TOP + (1 - cost / most) * (HEIGHT - TOP - BOTTOM);
  const steps = windows.map((_, i) => `${i ? `H${x(starts[i])}V${y(costs[i])}` : `M${x(starts[0])} ${y(costs[0])}`}`).join('');
  const line = budget == null ? null : svg('path', { class: 'limit', d: `M${LEFT} ${y(Number(budget))}H${WIDTH}` });
  return svg(
    'svg',
    { class: 'pareto', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `Cost against start for ${windows.length} windows; the table has the figures` },
    svg('path', { class: 'frame', d: `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH}` }),
    line,
    line && svg('text', { class: 'limit-word', x: WIDTH - 2, y: y(Number(budget)) - 4, 'text-anchor': 'end' }, 'budget'),
    svg('path', { class: 'steps', d: steps }),
    ...windows.map((window, i) => svg('circle', { class: window.withinBudget === false ? 'over' : 'within', cx: x(starts[i]), cy: y(costs[i]), r: 4 })),
    svg('text', { x: LEFT - 6, y: y(costs[0]) + 4, 'text-anchor': 'end' }, money(windows[0].cost)),
    y(costs.at(-1)) - y(costs[0]) > 14 ? svg('text', { x: LEFT - 6, y: y(costs.at(-1)) + 4, 'text-anchor': 'end' }, money(windows.at(-1).cost)) : null,
    svg('text', { x: x(starts[0]), y: HEIGHT - 6 }, moment(starts[0], now)),
    svg('text', { x: WIDTH - 2, y: HEIGHT - 6, 'text-anchor': 'end' }, moment(starts.at(-1), now)),
  );
}
