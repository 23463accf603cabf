import { ask, refusal } from './answers.js';
import { h, say, svg } from './dom.js';
import { FormField } from './fields.js';
import { linkTo, table } from './gang-page.js';
import { area, scatter } from './scatter.js';
import { duration, money, moment, nodeLink, plural, second } from './words.js';

/**
 * The frontier: the windows that all waiting gangs could have together. A picture and a table show the plans between low cost (or high income) and short delay
 * (or little loss of utility), and the windows of the chosen plan. The frontier is computed only on request. The form's fields are the request's
 * parameters, so that an address can name a request.
 */
const FIELDS = [
  { name: 'of', label: 'Money', choices: ['cost', 'income'], usual: 'cost', hint: 'what users pay, or what owners earn' },
  { name: 'against', label: 'Against', choices: ['delay', 'utility'], usual: 'delay', hint: 'the delay, or the loss of utility' },
  { name: 'promises', label: 'Promises', choices: ['kept', 'open'], usual: 'kept', hint: 'open: as if nothing were promised' },
  { name: 'plans', label: 'Plans', type: 'number', min: 2, max: 50, value: '20', hint: 'at most' },
];
const MOST_WINDOWS = 200;

const FIGURES = {
  delay: { word: 'mean delay', of: plan => plan.meanDelaySeconds, text: plan => duration(plan.meanDelaySeconds) },
  utility: { word: 'mean loss of utility', of: plan => plan.meanLossPercent, text: plan => loss(plan) },
};

const loss = plan => `${plan.meanLossPercent.toFixed(2)} %`;

export class FrontierPage {
  /** `asked` is called with each request, so that the address can name it. */
  constructor(place, model, now, parameters, asked) {
    this.now = now;
    this.asked = asked;
    this.result = h('div.result');
    this.status = h('p', { role: 'status' });
    this.fields = FIELDS.map(field => new FormField('frontier', field, parameters.size ? parameters.get(field.name) ?? '' : null));
    this.button = h('button.main', { type: 'submit' }, 'Compute the plans');
    this.form = h('form.quote', { novalidate: true }, this.fields.map(field => field.element), this.button);
    this.form.addEventListener('submit', event => {
      event.preventDefault();
      this.#ask();
    });
    place.replaceChildren(
      h('div.scroller.page', { tabindex: 0, role: 'group', 'aria-label': 'Form and plans' },
        h('h1', {}, 'Frontier'),
        h('p.lead', {}, 'The plans that all waiting gangs could have together, of which none is better than another in both figures. Nothing is changed. The planner computes for some seconds, for one reader at a time.'),
        this.form,
        this.status,
        this.result,
      ),
    );
  }

  update() {}

  async #ask() {
    const wrong = this.fields.filter(field => !field.accept());
    if (wrong.length) {
      wrong[0].focus();
      return;
    }
    const question = new URLSearchParams();
    this.fields.forEach(field => field.value && question.set(field.name, field.value));
    this.asked(question);
    this.button.disabled = true;
    this.result.replaceChildren();
    say(this.status, 'The planner computes the plans…');
    const { body, ...failure } = await ask(`/api/v1/frontier?${question}`);
    this.button.disabled = false;
    this.fields.find(field => field.name === failure.field)?.blame();
    if (body) {
      this.#show(body);
    } else {
      say(this.status, '');
      this.result.replaceChildren(h('p.failed', { role: 'alert' }, refusal(failure, 'A frontier')));
    }
  }

  #show(frontier) {
    const { plans, gangs, money: sum, against, pending, notes = [] } = frontier;
    const now = second(frontier.now) ?? this.now();
    const rest = [
      ...notes.map(note => h('p', {}, `${note[0].toUpperCase()}${note.slice(1)}.`)),
      pending.length > 0 && h('section', {}, h('h2', {}, 'Without a window in any plan'), h('ul', {}, pending.map(one => h('li', {}, linkTo(one.gang), `: ${one.reason}`)))),
    ];
    if (!plans.length) {
      say(this.status, 'No gang that waits has a window.');
      this.result.replaceChildren(...rest.filter(part => part));
      return;
    }
    const figure = FIGURES[against];
    say(this.status, `${plural(plans.length, 'plan')} for ${plural(gangs, 'gang')}, from the ${against === 'delay' ? 'shortest delay' : 'least loss'} to the ${sum === 'cost' ? 'lowest cost' : 'highest income'}.`);
    const detail = h('section');
    const buttons = plans.map((_, i) => h('button.quiet', { type: 'button', 'aria-pressed': 'false', onclick: () => choose(i) }, `Plan ${i + 1}`));
    const picture = plans.length > 1 ? this.#picture(plans, sum, figure, i => choose(i)) : null;
    const choose = chosen => {
      buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(i === chosen)));
      picture?.querySelectorAll('circle').forEach((dot, i) => dot.classList.toggle('chosen', i === chosen));
      say(this.status, `Plan ${chosen + 1} of ${plans.length}: ${sum} ${money(plans[chosen][sum])}, ${figure.word} ${figure.text(plans[chosen])}.`);
      detail.replaceChildren(...windows(plans[chosen], chosen, now));
    };
    this.result.replaceChildren(
      ...[
        picture,
        table(
          'Plans',
          ['Plan', sum === 'cost' ? 'Cost' : 'Income', 'Mean delay', 'Mean loss of utility'],
          plans.map((plan, i) => ({ cells: [buttons[i], money(plan[sum]), duration(plan.meanDelaySeconds), loss(plan)] })),
        ),
        detail,
        ...rest,
      ].filter(part => part),
    );
  }

  /** The picture of money against the other figure. A click on a point does the same as the table's buttons. */
  #picture(plans, sum, figure, choose) {
    const { left, right, top, bottom } = area(SIZE);
    const sums = plans.map(plan => Number(plan[sum]));
    const figures = plans.map(plan => Number(figure.of(plan)));
    const x = scale(figures, left + 10, right - 14);
    const y = scale(sums, bottom - 8, top + 6);
    const most = Math.max(...sums);
    const least = Math.min(...sums);
    const first = Math.min(...figures);
    return scatter(
      SIZE,
      {
        kind: 'pareto points',
        label: `The ${sum} against the ${figure.word} of ${plans.length} plans; the table has the figures`,
        high: { at: y(most), word: money(most) },
        low: { at: y(least), word: money(least) },
        first: { at: x(first), word: figure.text(plans[figures.indexOf(first)]) },
        last: { word: figure.text(plans[figures.indexOf(Math.max(...figures))]) },
      },
      ...plans.map((_, i) => {
        const dot = svg('circle', { class: 'within', cx: x(figures[i]), cy: y(sums[i]), r: 5 });
        dot.addEventListener('click', () => choose(i));
        return dot;
      }),
    );
  }
}

const SIZE = { width: 400, height: 200, left: 64 };

/** Maps numbers from their minimum and maximum to a range of the picture. */
function scale(numbers, from, to) {
  const least = Math.min(...numbers);
  const span = Math.max(...numbers) - least || 1;
  return number => from + ((number - least) / span) * (to - from);
}

/** The windows of a plan. */
function windows(plan, index, now) {
  const all = plan.windows;
  return [
    h('h2', {}, `Plan ${index + 1}`),
    table(
      `Windows of plan ${index + 1}, by start`,
      ['Gang', 'Start', 'End', 'Cost', 'Nodes'],
      all.slice(0, MOST_WINDOWS).map(window => ({ cells: [linkTo(window.gang), moment(second(window.start), now), moment(second(window.end), now), money(window.cost), nodes(window)] })),
    ),
    ...(all.length > MOST_WINDOWS ? [h('p', {}, `And ${all.length - MOST_WINDOWS} more.`)] : []),
  ];
}

const MOST_NODES = 3;

function nodes({ placement }) {
  const names = [...new Set(placement.map(place => place.node))].sort();
  const links = names.slice(0, MOST_NODES).flatMap((name, i) => [i ? ', ' : '', h('a', { href: nodeLink(name) }, name)]);
  return h('span', {}, links, names.length > MOST_NODES ? ` and ${names.length - MOST_NODES} more` : '');
}
