import { BarsTable } from './bars-table.js';
import { Chart } from './chart.js';
import { $, h, say } from './dom.js';
import { Feed } from './feed.js';
import { figures } from './figures.js';
import { GangPage } from './gang-page.js';
import { GangsList } from './gangs-list.js';
import { gestures } from './gestures.js';
import { help } from './help.js';
import { Model } from './model.js';
import { QuotePage } from './quote-page.js';
import { session } from './session.js';
import { theme } from './theme.js';
import { clock, day, duration, gangLink } from './words.js';

/** Puts the board together: one model, the chart, and beside it the page that the address names. */
const model = new Model();
const feed = new Feed(model, what => (what === 'data' ? data() : linked()));
const now = () => feed.now();
const chart = new Chart(model, now, {
  open: gang => (location.hash = gang ? gangLink(gang) : '#/'),
  spoken: text => say($('announcer'), text),
});
const words = new BarsTable($('words'), chart);
let page = null;

chart.speed = () => feed.speed;
chart.changed = () => $('follow').setAttribute('aria-pressed', String(chart.follow));
chart.onframe = () => words.update();

function data() {
  tick();
  figures($('figures'), model.head);
  chart.update();
  $('legend-taken').hidden = Boolean(model.head.batch);
  page?.update();
  state();
  title();
}

function state() {
  const { ready } = model.head ?? {};
  const text = !model.loaded
    ? feed.link.state === 'lost'
      ? 'Slotwise does not answer; nothing is known yet.'
      : 'Loading…'
    : !ready
      ? 'Slotwise is reading the cluster…'
      : model.nodes.size === 0
        ? 'The cluster has no nodes yet. They appear here as they join.'
        : chart.rows.all.length === 0
          ? 'No node and no gang on a node has this in its name.'
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
    const what = model.loaded ? `Connection lost ${ago} ago (${why}): the board shows what was known then.` : `No connection for ${ago} (${why}): nothing is known yet.`;
    say(banner, `${what} ${seconds ? `Next try in ${seconds} s.` : 'Trying again…'}`);
  }
}

/** What stands in the place of the chart depends on the connection until there is one. */
function linked() {
  link();
  if (!model.loaded) {
    state();
  }
}

function title() {
  const { totals } = model.head;
  document.title = page instanceof GangPage ? `${page.id} · Slotwise` : `${totals.running} running, ${totals.waiting} waiting · Slotwise`;
}

function tick() {
  if (model.loaded) {
    const at = Math.floor(now());
    say($('clock'), `${day(at)} ${clock(at, true)} UTC`);
    $('clock').dateTime = new Date(at * 1000).toISOString();
    say($('speed'), feed.speed === 1 ? '' : feed.speed === 0 ? 'stands still' : `× ${feed.speed}`);
  }
  if (feed.link.state === 'lost') {
    link();
  }
}

/** The page that the address names: `#/gangs/NAMESPACE/NAME`, `#/quote`, or the list of gangs. */
function route(first = false) {
  const [path, query] = location.hash.slice(1).split('?');
  const parts = path.split('/').map(decoded);
  const gang = parts[1] === 'gangs' && parts.length === 4 ? `${parts[2]}/${parts[3]}` : null;
  const side = $('side');
  if (gang) {
    page = new GangPage(side, model, now, gang);
  } else if (parts[1] === 'quote') {
    page = new QuotePage(side, model, now, new URLSearchParams(query));
  } else {
    page = new GangsList(side, model, now);
    page.update($('search').value.trim().toLowerCase());
  }
  document.body.dataset.page = gang ? 'gang' : parts[1] === 'quote' ? 'quote' : 'board';
  side.setAttribute('aria-label', gang ? `Gang ${gang}` : parts[1] === 'quote' ? 'Quote' : 'Gangs');
  $('nav-board').toggleAttribute('aria-current', false);
  $('nav-quote').toggleAttribute('aria-current', false);
  $(parts[1] === 'quote' ? 'nav-quote' : 'nav-board').setAttribute('aria-current', 'page');
  chart.select(gang);
  if (!first && !$('scroll').matches(':focus')) {
    side.focus({ preventScroll: true });
  }
  if (model.loaded) {
    title();
  }
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
  ['foreign', 'not Slotwise’s'],
  ['ended', 'ended'],
  ['taken', 'of a namespace that you do not see'],
  ['overrun', 'past its end'],
  ['away', 'unavailable'],
  ['price', 'price: darker is dearer'],
];

function legend() {
  $('legend').replaceChildren(...LEGEND.map(([kind, text]) => h('li', { id: `legend-${kind}` }, h(`span.swatch.${kind}`, { 'aria-hidden': 'true' }), text)));
}

function controls() {
  $('zoom-in').addEventListener('click', () => chart.zoomBy(1 / 1.6));
  $('zoom-out').addEventListener('click', () => chart.zoomBy(1.6));
  $('fit').addEventListener('click', () => chart.fit());
  $('follow').addEventListener('click', () => chart.setFollow(!chart.follow));
  $('group').addEventListener('change', event => chart.choose({ group: event.target.value }));
  $('keys').addEventListener('click', () => help($('help')));
  $('skip').addEventListener('click', event => {
    event.preventDefault();
    $('scroll').focus();
  });
  $('search').addEventListener('input', event => {
    const query = event.target.value.trim().toLowerCase();
    chart.choose({ query });
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
theme($('theme'), () => chart.recolour());
session($('sign-out'));
window.addEventListener('hashchange', () => route());
state();
link();
route(true);
setInterval(tick, 500);
setInterval(() => page?.update(), 5000);
feed.start();
