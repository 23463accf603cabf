import { commands, quoted } from './copying.js';
import { h, say } from './dom.js';
import { linkTo, table } from './gang-page.js';
import { endOf } from './model.js';
import { amount, exact, money, moment, notThere, percent, plural, purchaseSentence, resourceName, stretch } from './words.js';

/** The page of one node: its owner, its current use, its prices over time, and the pods planned on it. */
const MOST_PRICES = 12;
const MOST_BARS = 100;

export class NodePage {
  #shown = '';

  constructor(place, model, now, name) {
    this.model = model;
    this.now = now;
    this.id = name;
    this.kicker = h('p.kicker');
    this.lead = h('p.lead');
    this.body = h('div.answer');
    place.replaceChildren(
      h('a.back', { href: '#/' }, '← All gangs'),
      h('div.scroller.gang', { tabindex: 0, role: 'group', 'aria-label': 'All about this node' }, this.kicker, h('div.titled', {}, h('h1', {}, name)), this.lead, this.body),
    );
    this.update();
  }

  update() {
    const node = this.model.nodes.get(this.id);
    if (!node) {
      say(this.kicker, 'Node');
      say(this.lead, this.model.loaded ? `There is no node ${this.id}.` : 'Not known yet.');
      this.body.replaceChildren();
      return;
    }
    const now = Math.floor(this.now());
    const bars = this.model.barsOn(this.id).filter(bar => endOf(bar) > now);
    say(this.kicker, ['Node', node.type, node.domain].filter(part => part).join(' · '));
    say(this.lead, sentence(node, bars, now));
    const price = this.model.priceAt(node, now);
    const signature = JSON.stringify([node, bars, price, this.model.priceOf(node).length]);
    if (signature === this.#shown) {
      return;
    }
    this.#shown = signature;
    this.body.replaceChildren(
      ...[
        facts(node, price),
        purchased(node, now),
        usage(node),
        what(bars, now),
        prices(this.model.priceOf(node), now),
        away(node, now),
        commands(inTerminal(node)),
      ].filter(part => part),
    );
  }
}

function inTerminal(node) {
  const claim = node.purchase && `kubectl describe nodeclaim ${quoted(node.purchase.name)}`;
  return notThere(node) ? [claim] : [`kubectl describe node ${quoted(node.name)}`, `kubectl get pods -A -o wide --field-selector spec.nodeName=${quoted(node.name)}`, claim].filter(line => line);
}

function sentence(node, bars, now) {
  if (notThere(node)) {
    return purchaseSentence(node, now);
  }
  if (!node.schedulable) {
    return 'Cordoned or not ready: nothing is planned there.';
  }
  const gangs = new Set(bars.filter(bar => bar.gang && bar.start <= now).map(bar => bar.gang));
  const next = bars.find(bar => bar.gang && bar.start > now);
  const running = gangs.size ? `Runs ${plural(gangs.size, 'gang')}` : 'Runs no gang';
  return next ? `${running}; the next one starts ${next.start - now < 60 ? 'in a moment' : `at ${moment(next.start, now)}`}.` : `${running}; none is promised room there.`;
}

function facts(node, price) {
  const pairs = [
    ['Owner', node.owner],
    ['Domain', node.domain],
    ['Type', node.type],
    ['Price now', price == null ? null : `${exact(price)} an hour`],
  ].filter(([, text]) => text != null);
  return h('dl.facts', {}, pairs.map(([term, text]) => h('div', {}, h('dt', {}, term), h('dd', {}, text))));
}

/** How the node is bought, for which gang, and the end of its paid time. */
function purchased(node, now) {
  const { purchase } = node;
  if (!purchase) {
    return null;
  }
  const pairs = [
    ['For', purchase.gang && linkTo(purchase.gang)],
    ['Bill', purchase.bill == null ? null : money(purchase.bill)],
    ['Paid until', purchase.end == null ? null : moment(purchase.end, now)],
  ].filter(([, text]) => text != null);
  return h(
    'section',
    {},
    h('h2', {}, 'Bought'),
    h('p', {}, purchaseSentence(node, now)),
    pairs.length > 0 && h('dl.facts', {}, pairs.map(([term, text]) => h('div', {}, h('dt', {}, term), h('dd', {}, text)))),
  );
}

function usage(node) {
  const rows = Object.entries(node.capacity).filter(([, all]) => all > 0);
  return h(
    'section',
    {},
    h('h2', {}, 'In use now'),
    h('ul.usage', {}, rows.map(([name, all]) => {
      const taken = node.taken?.[name] ?? 0;
      const part = Math.min(1, taken / all);
      const bar = h('s');
      bar.style.width = `${part * 100}%`;
      return h('li', {}, h('span', {}, resourceName(name)), h('span.meter', { 'aria-hidden': 'true' }, bar), h('span.figure', {}, `${amount(name, taken)} of ${amount(name, all)}, ${percent(Math.round(part * 1000))}`));
    })),
  );
}

function what(bars, now) {
  if (!bars.length) {
    return h('section', {}, h('h2', {}, 'Running and promised there'), h('p', {}, 'Nothing.'));
  }
  return h(
    'section',
    {},
    h('h2', {}, 'Running and promised there'),
    table(
      'Bars of this node, by start',
      ['Gang or pod', 'State', 'Time', 'Cost'],
      bars.slice(0, MOST_BARS).map(bar => ({
        cells: [bar.gang ? linkTo(bar.gang) : bar.state === 'taken' ? 'of a namespace that you cannot see' : bar.count > 1 ? `${bar.count} other pods` : bar.pod, bar.overrun ? `${bar.state}, overrun` : bar.state, stretch(bar.start, bar.end, now), money(bar.cost)],
      })),
    ),
    bars.length > MOST_BARS && h('p', {}, `And ${bars.length - MOST_BARS} more, later.`),
  );
}

function prices(pieces, now) {
  const future = pieces.filter((piece, i) => !pieces[i + 1] || (pieces[i + 1].start ?? 0) > now);
  if (future.length < 2) {
    return null;
  }
  return h(
    'section',
    {},
    h('h2', {}, 'Price'),
    table('Prices by their beginning', ['From', 'Cost'], future.slice(0, MOST_PRICES).map(piece => ({ cells: [piece.start == null || piece.start <= now ? 'now' : moment(piece.start, now), exact(piece.perHour)] }))),
  );
}

function away(node, now) {
  // The `unavailable` spans of a bought node lie outside of its paid time, which the section above shows.
  return node.unavailable.length && !node.purchase
    ? h('section', {}, h('h2', {}, 'Its owner keeps it'), h('ul', {}, node.unavailable.map(span => h('li', {}, stretch(span.start, span.end, now)))))
    : null;
}
