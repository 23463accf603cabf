import { ask, refusal } from './answers.js';
import { commands, copyButton, quoted } from './copying.js';
import { h, name, reconcile, say } from './dom.js';
import { FormField } from './fields.js';
import { badge } from './gangs-list.js';
import { exact, gangLink, money, nameOf, namespaceOf, plural, relative, stretch } from './words.js';

/**
 * Advance reservations: the existing ones, and a form for a new one. The program checks the form but does not apply it. The page shows a manifest and the
 * command that applies it, so that users apply it with their own permissions.
 */
const FIELDS = [
  { name: 'name', label: 'Name', value: '', required: true, hint: 'gangs refer to it by slotwise.io/reservation' },
  { name: 'namespace', label: 'Namespace', value: 'default', required: true, hint: 'that of the gangs' },
  { name: 'size', label: 'Seats', type: 'number', min: 1, max: 10000, value: '4', required: true, hint: 'how many pods fit' },
  { name: 'runtime', label: 'Runtime', value: '1h', required: true, hint: 'as 90s, 1h30m or 2d' },
  { name: 'cpu', label: 'CPU a seat', value: '4', required: true, hint: 'cores, as 4 or 500m' },
  { name: 'memory', label: 'Memory a seat', value: '16Gi', hint: 'as 16Gi' },
  { name: 'nvidia.com/gpu', label: 'GPUs a seat', type: 'number', min: 0, max: 64, value: '', hint: 'nvidia.com/gpu' },
  { name: 'budget', label: 'Budget', value: '', hint: 'for all of it; empty: none' },
  { name: 'start', label: 'Exact start', value: '', hint: 'as 2030-01-01T08:00:00Z; or the two below' },
  { name: 'earliest-start', label: 'Earliest start', value: '', hint: 'as 2030-01-01T08:00:00Z' },
  { name: 'deadline', label: 'Deadline', value: '', hint: 'ends no later' },
  { name: 'criterion', label: 'Criterion', choices: ['start', 'finish', 'runtime', 'cost', 'processor-time', 'energy', 'preference'], hint: 'which window is best' },
  { name: 'preferred-start', label: 'Preferred start', value: '', hint: 'as 2030-01-01T14:00:00Z, or with weight 2 behind it' },
  { name: 'preferred-finish', label: 'Preferred end', value: '', hint: 'at the latest, as 2030-01-01T18:00:00Z' },
  { name: 'preferred-cost', label: 'Preferred cost', value: '', hint: 'at most, as 5 or 5 weight 2' },
];

export class ReservationsPage {
  constructor(place, model, now) {
    this.model = model;
    this.now = now;
    this.list = h('ul.gangs');
    this.none = h('p.none', {}, 'There are no advance reservations.');
    this.fields = FIELDS.map(field => new FormField('reserve', field));
    this.result = h('div.result', { 'aria-live': 'polite' });
    this.form = h('form.quote', { novalidate: true }, this.fields.map(field => field.element), h('button.main', { type: 'submit' }, 'Write the manifest'));
    this.form.addEventListener('submit', event => {
      event.preventDefault();
      this.#ask();
    });
    place.replaceChildren(
      h('div.scroller.page', { tabindex: 0, role: 'group', 'aria-label': 'Advance reservations' },
        h('h1', {}, 'Reservations'),
        h('p.lead', {}, 'Capacity reserved for a later gang that names it.'),
        this.list,
        this.none,
        h('h2', {}, 'Reserve room'),
        this.form,
        this.result,
      ),
    );
    this.update();
  }

  update() {
    if (!this.model.loaded) {
      return;
    }
    const now = this.now();
    const all = [...this.model.gangs.values()];
    const held = all.filter(gang => gang.kind === 'reservation').sort((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity) || (a.id < b.id ? -1 : 1));
    this.none.hidden = held.length > 0;
    reconcile(
      this.list,
      held,
      gang => gang.id,
      gang => h('li', {}, h('a', { href: gangLink(gang.id) }, h('span.name', {}, h('b'), h('i')), h('span.phase'), h('span.when'), h('span.cost'), h('span.why'))),
      (element, gang) => {
        const [title, phase, when, cost, guests] = element.firstChild.children;
        name(title.children[0], nameOf(gang.id));
        say(title.children[1], gang.size ? `${namespaceOf(gang.id)} · ${plural(gang.size, 'seat')}` : namespaceOf(gang.id));
        badge(phase, gang.phase);
        say(when, gang.start == null ? gang.message : gang.start > now ? `from ${relative(gang.start, now)} · ${stretch(gang.start, gang.end, now)}` : stretch(gang.start, gang.end, now));
        say(cost, gang.cost == null ? (gang.budget == null ? '' : `budget ${exact(gang.budget)}`) : money(gang.cost));
        const inside = all.filter(other => other.reservation && `${namespaceOf(other.id)}/${other.reservation}` === gang.id);
        guests.hidden = inside.length === 0;
        say(guests, inside.length ? `Taken by ${inside.map(other => nameOf(other.id)).join(', ')}.` : '');
      },
    );
  }

  async #ask() {
    const wrong = this.fields.find(field => !field.accept());
    if (wrong) {
      wrong.focus();
      return;
    }
    const asked = new URLSearchParams();
    this.fields.forEach(field => field.value && asked.set(field.name, field.value));
    this.result.replaceChildren(h('p', {}, 'Asking…'));
    const { body, ...failure } = await ask(`/api/v1/reservation-manifest?${asked}`);
    this.fields.find(field => field.name === failure.field)?.blame();
    this.result.replaceChildren(...(body ? written(body, asked) : [h('p.failed', { role: 'status' }, refusal(failure, 'A manifest'))]));
  }
}

function written({ manifest }, asked) {
  return [
    h('h2', {}, 'The manifest'),
    h('pre.manifest', { tabindex: 0, role: 'group', 'aria-label': 'Manifest' }, manifest),
    copyButton(manifest, 'Copy manifest'),
    commands([command(asked), `kubectl get reservation ${quoted(asked.get('name'))} -n ${quoted(asked.get('namespace'))} -w`]),
  ].filter(part => part);
}

/** The command that makes the same reservation. */
function command(asked) {
  const words = ['slotwise', 'reserve', asked.get('name')];
  for (const [key, value] of asked) {
    if (key !== 'name') {
      words.push(...(key.includes('/') ? ['--resource', `${key}=${value}`] : [`--${key}`, value]));
    }
  }
  return words.map(quoted).join(' ');
}
