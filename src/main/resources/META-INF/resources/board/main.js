import { Address, read } from './address.js';
import { BarsTable } from './bars-table.js';
import { Chart } from './chart.js';
import { cutText } from './cut-text.js';
import { $, h, reconcile, say } from './dom.js';
import { Feed } from './feed.js';
import { figures } from './figures.js';
import { FrontierPage } from './frontier-page.js';
import { GangPage } from './gang-page.js';
import { GangsList } from './gangs-list.js';
import { gestures } from './gestures.js';
import { help } from './help.js';
import { Model } from './model.js';
import { NodePage } from './node-page.js';
import { QueuesPage } from './queues-page.js';
import { QuotePage } from './quote-page.js';
import { ReservationsPage } from './reservations-page.js';
import { session } from './session.js';
import { theme } from './theme.js';
import { clock, day, duration, gangLink, money, nodeLink, setCurrency } from './words.js';

/** Assembles the board: one model, the chart, and next to it the page that the address names. */
const model = new Model();
const feed = new Feed(model, what => (what === 'data' ? data() : linked()));
const now = () => feed.now();
const chart = new Chart(model, now, {
  open: gang => (location.hash = gang ? gangLink(gang) : '#/'),
  openNode: node => (location.hash = nodeLink(node)),
  spoken: text => say($('announcer'), text),
});
const words = new BarsTable($('words'), chart);
let page = null;
let filter = 'all';
let queue = '';
const address = new Address(() => {
  const { span, from } = chart.view;
  return { q: $('search').value.trim(), show: filter === 'all' ? null : filter, 'show-queue': queue, group: chart.group, from: from && new Date(from * 1000).toISOString().replace('.000', ''), span };
});

chart.speed = () => feed.speed;
chart.changed = () => {
  $('follow').setAttribute('aria-pressed', String(chart.follow));
  $('usual').setAttribute('aria-pressed', String(chart.usual));
  address.soon();
};
chart.onframe = () => words.update();

function data() {
  tick();
  setCurrency(model.head.currency);
  figures($('figures'), model.head);
  chart.update();
  levels();
  namespaces();
  prices();
  $('legend-taken').hidden = Boolean(model.head.batch);
  // The frontier covers all namespaces. The server refuses it to callers who cannot see all of them.
  $('nav-frontier').hidden = !model.head.batch;
  $('nav-queues').hidden = !model.head.queues;
  if (page instanceof QueuesPage && model.head.ready && !model.head.queues) {
    location.replace('#/');
  }
  $('legend-buying').hidden = ![...model.nodes.values()].some(node => node.purchase);
  page?.update();
  state();
  title();
}

/** Offers the levels of the nodes to group by. */
function levels() {
  const known = new Set([...$('group').options].map(option => option.value));
  for (const node of model.nodes.values()) {
    for (const key of Object.keys(node.levels ?? {}).filter(level => !known.has(level))) {
      known.add(key);
      $('group').append(h('option', { value: key }, key));
    }
  }
  $('group').value = chart.group;
}

function state() {
  const { ready } = model.head ?? {};
  const text = !model.loaded
    ? feed.link.state === 'lost'
      ? 'Slotwise does not respond; there is no data yet.'
      : 'Loading…'
    : !ready
      ? 'Slotwise is reading the cluster…'
      : model.nodes.size === 0
        ? 'The cluster has no nodes yet. They appear here as they join.'
        : chart.rows.all.length === 0
          ? 'No node, and no gang on a node, has this in its name.'
          : '';
  $('state').hidden = !text;
  say($('state'), text);
}

function link() {
  const { state: how, since, why, next } = feed.link;
  const banner = $('banner');
  $('link').dataset.state = how;
  say($('link'), how === 'live' ? (model.head?.planning === false ? 'Live, does not plan' : 'Live') : how === 'lost' ? 'Not connected' : 'Connecting');
  banner.hidden = how !== 'lost';
  if (how === 'lost') {
    const seconds = Math.max(0, Math.round((next - Date.now()) / 1000));
    const ago = duration((Date.now() - since) / 1000);
    const what = model.loaded ? `Connection lost ${ago} ago (${why}): the board shows the data of that time.` : `No connection for ${ago} (${why}): there is no data yet.`;
    say(banner, `${what} ${seconds ? `Next try in ${seconds} s.` : 'Trying again…'}`);
  }
}

/** Shows the state of the connection in place of the chart until there is data. */
function linked() {
  link();
  if (!model.loaded) {
    state();
  }
}

function title() {
  const { totals } = model.head;
  document.title = page instanceof GangPage || page instanceof NodePage ? `${page.id} · Slotwise` : `${totals.running} running, ${totals.waiting} waiting · Slotwise`;
}

function tick() {
  if (model.loaded) {
    const at = Math.floor(now());
    say($('clock'), `${day(at)} ${clock(at, true)} UTC`);
    $('clock').dateTime = new Date(at * 1000).toISOString();
    say($('speed'), feed.speed === 1 ? '' : feed.speed === 0 ? 'paused' : feed.speed < 0 ? 'as fast as it can' : `× ${feed.speed}`);
  }
  if (feed.link.state === 'lost') {
    link();
  }
}

/**
 * Opens the page that the address names: `#/gangs/NAMESPACE/NAME`, `#/nodes/NAME`, `#/reservations`, `#/quote`, `#/frontier`, `#/queues`, or the
 * list of gangs.
 */
function route(first = false) {
  const { path, asked, view } = read(location.hash);
  if (first || address.kept) {
    see(view);
  }
  address.asked = asked;
  const parts = path.split('/').map(decoded);
  const gang = parts[1] === 'gangs' && parts.length === 4 ? `${parts[2]}/${parts[3]}` : null;
  const kind = gang ? 'gang' : (PAGES[parts[1]] ?? 'board');
  const side = $('side');
  page = opened(kind, side, gang ?? parts[2], asked);
  document.body.dataset.page = kind;
  side.setAttribute('aria-label', { gang: `Gang ${gang}`, node: `Node ${parts[2]}`, quote: 'Quote', frontier: 'Frontier', queues: 'Queues', reservations: 'Reservations', board: 'Gangs' }[kind]);
  for (const link of document.querySelectorAll('.places a')) {
    link.toggleAttribute('aria-current', false);
  }
  ($(`nav-${kind}`) ?? $('nav-board')).setAttribute('aria-current', 'page');
  chart.select(gang);
  if (!first && !$('scroll').matches(':focus')) {
    side.focus({ preventScroll: true });
  }
  if (model.loaded) {
    title();
  }
  address.write();
}

const PAGES = { quote: 'quote', frontier: 'frontier', queues: 'queues', reservations: 'reservations', nodes: 'node' };

function opened(kind, side, id, asked) {
  switch (kind) {
    case 'gang':
      return new GangPage(side, model, now, id);
    case 'node':
      return new NodePage(side, model, now, id ?? '');
    case 'reservations':
      return new ReservationsPage(side, model, now);
    case 'queues':
      return new QueuesPage(side, model, now, name => {
        queue = name;
        filter = 'all';
      });
    case 'quote':
      return new QuotePage(side, model, now, asked, question => {
        address.asked = question;
        address.write();
      });
    case 'frontier':
      return new FrontierPage(side, model, now, asked, question => {
        address.asked = question;
        address.write();
      });
    default: {
      const list = new GangsList(side, model, now, chart.hues, {
        filter,
        queue,
        chosen: (key, name) => {
          filter = key;
          queue = name;
          address.soon();
        },
      });
      list.update($('search').value.trim().toLowerCase());
      return list;
    }
  }
}

/** Applies the view that an address names. Anything that it does not name gets its default. */
function see({ q = '', show = 'all', 'show-queue': ofQueue = '', group = '', from, span }) {
  $('search').value = q;
  $('group').value = group;
  filter = show;
  queue = ofQueue;
  // The levels are known only with the nodes.
  chart.choose({ query: q.toLowerCase(), group: model.loaded ? $('group').value : group });
  const seconds = Number(span);
  const at = from ? Date.parse(from) / 1000 : null;
  chart.see(seconds > 0 ? { span: seconds, from: Number.isFinite(at) ? at : null } : null);
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const LEGEND = [
  ['running', 'running'],
  ['promised', 'promised'],
  ['held', 'reserved in advance'],
  ['foreign', 'other schedulers'],
  ['completed', 'completed'],
  ['taken', 'of a namespace that you cannot see'],
  ['overrun', 'past its end'],
  ['away', 'unavailable'],
  ['buying', 'bought, or to be'],
  ['price', 'price'],
];
const MOST_NAMED = 10;

function legend() {
  $('legend').replaceChildren(...LEGEND.map(([kind, text]) => h('li', { id: `legend-${kind}` }, h(`span.swatch.${kind}`, { 'aria-hidden': 'true' }), h('span', {}, text))));
}

/** Updates the legend of namespaces and their colours. */
function namespaces() {
  const names = chart.hues.namespaces;
  $('namespaces').hidden = names.length === 0;
  const more = names.length - MOST_NAMED;
  reconcile(
    $('namespaces'),
    more > 0 ? [...names.slice(0, MOST_NAMED), null] : names,
    name => name ?? 'more',
    () => h('li', {}, h('s.hue', { 'aria-hidden': 'true' }), h('span')),
    (element, name) => {
      element.firstChild.hidden = name === null;
      element.firstChild.style.setProperty('--hue', name === null ? 0 : chart.hues.of(name));
      say(element.lastChild, name ?? `and ${more} more`);
    },
  );
}

/** Updates the price scale. All nodes share one scale; there is none if all prices are equal. */
function prices() {
  const range = model.priceRange();
  const item = $('legend-price');
  item.hidden = !range || !(range.most > range.least);
  if (!item.hidden) {
    say(item.lastChild, `price of a node, ${money(range.least)} to ${money(range.most)} an hour`);
  }
}

function controls() {
  $('zoom-in').addEventListener('click', () => chart.zoomBy(1 / 1.6));
  $('zoom-out').addEventListener('click', () => chart.zoomBy(1.6));
  $('usual').addEventListener('click', () => chart.showUsual());
  $('fit').addEventListener('click', () => chart.fit());
  $('follow').addEventListener('click', () => chart.setFollow(!chart.follow));
  $('group').addEventListener('change', event => {
    chart.choose({ group: event.target.value });
    address.soon();
  });
  $('keys').addEventListener('click', () => help($('help')));
  $('skip').addEventListener('click', event => {
    event.preventDefault();
    $('scroll').focus();
  });
  $('search').addEventListener('input', event => {
    const query = event.target.value.trim().toLowerCase();
    chart.choose({ query });
    address.soon();
    state();
    if (page instanceof GangsList) {
      page.update(query);
    }
  });
  $('search').addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      event.target.value = '';
      event.target.dispatchEvent(new Event('input'));
    }
  });
  gestures(chart, { help: () => help($('help')), find: () => $('search').focus() });
}

legend();
controls();
cutText();
theme($('theme'), () => chart.recolour());
session($('sign-out'));
window.addEventListener('hashchange', () => route());
state();
link();
route(true);
setInterval(tick, 500);
setInterval(() => page?.update(), 5000);
feed.start();
