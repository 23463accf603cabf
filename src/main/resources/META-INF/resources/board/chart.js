import { $, h, say } from './dom.js';
import { Hues } from './hues.js';
import { endOf, firstAfter } from './model.js';
import { AXIS, Painter } from './paint.js';
import { Rows, barsOf, laneTop, LANE, matchesGang } from './rows.js';
import { colours } from './theme.js';
import { amount, clock, day, duration, money, moment, percent, plural, purchaseSentence, resourceName, stretch } from './words.js';

/**
 * The Gantt chart: nodes downwards, time to the right. The browser scrolls the rows. The canvas stays fixed over them, and only the visible part is
 * drawn.
 */
const CLOSEST = 0.05;
const PAST = 1800;
const FUTURE = 4 * 3600;
const NOW_AT = PAST / (PAST + FUTURE);
const NARROW = 640;
const SLOWEST_FRAME = 1000;
const STATES = { foreign: 'placed by another scheduler', taken: 'by a namespace that you cannot see' };

export class Chart {
  #model;
  #time;
  #painter;
  #colours = colours();
  #queued = false;
  #timer = 0;
  #range = null;

  /** `open` is called with the id of a gang whose bar is chosen, `spoken` with the text for a screen reader. */
  constructor(model, time, { open, openNode, spoken }) {
    this.#model = model;
    this.#time = time;
    this.open = open;
    this.openNode = openNode;
    this.hues = new Hues();
    this.usual = true;
    this.spoken = spoken;
    this.canvas = $('canvas');
    this.scroll = $('scroll');
    this.#painter = new Painter(this.canvas);
    this.rows = new Rows([]);
    this.from = 0;
    this.perPixel = 10;
    this.follow = true;
    this.group = '';
    this.query = '';
    this.selected = null;
    this.cursor = null;
    this.hover = null;
    this.pointer = null;
    this.placed = false;
    this.density = 1;
    new ResizeObserver(() => this.#resize()).observe(this.scroll);
    this.scroll.addEventListener('scroll', () => this.request(), { passive: true });
    this.scroll.addEventListener('focus', () => this.request());
    this.scroll.addEventListener('blur', () => this.request());
  }

  get width() {
    return this.scroll.clientWidth;
  }

  get height() {
    return this.scroll.clientHeight;
  }

  /** The width of the column of names on the left. */
  get label() {
    return this.width < NARROW ? 104 : 156;
  }

  get now() {
    return this.#time();
  }

  x(at) {
    return this.label + (at - this.from) / this.perPixel;
  }

  at(x) {
    return this.from + (x - this.label) * this.perPixel;
  }

  get to() {
    return this.at(this.width);
  }

  recolour() {
    this.#colours = colours();
    this.hues.reset();
    this.#painter.reset();
    this.request();
  }

  /** Takes over the model's current data. */
  update() {
    this.#range = this.#model.priceRange();
    this.hues.assign(this.#model.namespaces());
    this.rows = Rows.of(this.#model, this.group, this.query);
    $('spacer').style.height = `${Math.max(0, this.rows.height + AXIS - this.height)}px`;
    this.cursor = this.cursor && (this.#model.bars.get(this.cursor.id) ?? null);
    if (!this.placed && this.#model.loaded && this.width > 0) {
      this.placed = true;
      this.#place();
      this.#show(this.selected);
    }
    this.request();
  }

  choose({ group = this.group, query = this.query }) {
    this.group = group;
    this.query = query;
    this.update();
  }

  #resize() {
    this.density = Math.min(3, window.devicePixelRatio || 1);
    this.canvas.width = Math.round(this.width * this.density);
    this.canvas.height = Math.round(this.height * this.density);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.#painter.reset();
    if (this.placed && this.usual) {
      this.showUsual();
    }
    this.update();
  }

  /** Requests a frame. Many requests lead to one frame. */
  request() {
    if (!this.#queued) {
      this.#queued = true;
      requestAnimationFrame(() => {
        this.#queued = false;
        this.#draw();
      });
    }
  }

  #draw() {
    if (!this.#model.loaded || this.width === 0) {
      return;
    }
    const begun = performance.now();
    const now = this.now;
    this.#keepUp(now);
    const drawn = this.#painter.paint(this.#frame(now));
    const chart = $('chart').dataset;
    chart.drawn = drawn;
    chart.frame = (performance.now() - begun).toFixed(2);
    say($('span'), this.#spanInWords());
    this.#again();
    this.onframe?.();
  }

  #keepUp(now) {
    if (this.follow) {
      this.from = now - (this.width - this.label) * NOW_AT * this.perPixel;
    }
  }

  /** Schedules the next frame for the time at which the now-line has moved half a pixel. */
  #again() {
    clearTimeout(this.#timer);
    const speed = this.speed?.() ?? 1;
    if (speed > 0) {
      const wait = Math.min(SLOWEST_FRAME, Math.max(40, (500 * this.perPixel) / speed));
      this.#timer = setTimeout(() => this.request(), wait);
    }
  }

  #frame(now) {
    const font = getComputedStyle(this.scroll).fontFamily;
    return {
      width: this.width,
      height: this.height,
      density: this.density,
      label: this.label,
      from: this.from,
      to: this.to,
      perPixel: this.perPixel,
      now,
      scroll: this.scroll.scrollTop,
      rows: this.rows,
      colours: this.#colours,
      font: `11.5px ${font}`,
      bold: `600 11.5px ${font}`,
      selected: this.selected,
      cursor: document.activeElement === this.scroll ? this.cursor : null,
      hover: this.hover,
      hoverRow: this.hoverRow,
      x: at => this.x(at),
      y: row => AXIS + row.top - this.scroll.scrollTop,
      across: (start, end) => this.#across(start, end),
      faded: this.#faded(),
      pricesOf: node => this.#model.priceOf(node),
      range: this.#range,
      barColours: bar => this.hues.colours(bar, this.#colours),
    };
  }

  /** The pixels between two times, clipped to slightly more than the visible range. */
  #across(start, end) {
    const left = Math.max(this.label - 8, this.x(start));
    const right = Math.min(this.width + 8, this.x(end));
    return [left, right - left];
  }

  /** Returns a test of whether a bar is faded. If a gang is selected or searched for, and it has bars, the bars of all other gangs are. */
  #faded() {
    const { selected, query } = this;
    if (selected && this.#model.barsOf(selected).length) {
      return bar => bar.gang !== selected;
    }
    const found = query && [...this.#model.gangs.keys()].some(id => matchesGang(id, query));
    return found ? bar => !matchesGang(bar.gang, query) : () => false;
  }

  #spanInWords() {
    return `${day(this.from)} ${clock(this.from - (this.from % 60))} · ${duration(this.to - this.from)} in sight`;
  }

  // ---- the view

  panBy(pixels) {
    this.follow = false;
    this.usual = false;
    this.from += pixels * this.perPixel;
    this.request();
    this.changed?.();
  }

  /** Zooms by a factor. The time at `x` stays in place. */
  zoomBy(factor, x = this.label + (this.width - this.label) * (this.follow ? NOW_AT : 0.5)) {
    this.usual = false;
    const at = this.at(x);
    const room = this.width - this.label;
    const span = Math.max(3600, this.#model.head?.horizonEnd - this.#model.head?.now || 0);
    this.perPixel = Math.min((span * 1.5) / room, Math.max(CLOSEST, this.perPixel * factor));
    this.from = at - (x - this.label) * this.perPixel;
    this.request();
    this.changed?.();
  }

  /** From a little before now to the last planned end. */
  fit() {
    const { now } = this;
    const last = Math.max(now + 1800, this.#model.lastEnd() ?? 0);
    const room = Math.max(80, this.width - this.label);
    this.perPixel = Math.max(CLOSEST, (last - now) / (room * (1 - NOW_AT) * 0.97));
    this.usual = false;
    this.setFollow(true);
  }

  /** The default view: half an hour of the past and four hours of the future. */
  showUsual() {
    this.perPixel = Math.max(CLOSEST, (PAST + FUTURE) / Math.max(80, this.width - this.label));
    this.setFollow(true);
    this.usual = true;
    this.changed?.();
  }

  /**
   * Shows the view of an address: `span` seconds from the second `from`, or following the time if `from` is null. A null `view` is the default. The
   * view waits until there is data.
   */
  see(view) {
    this.#wanted = view;
    if (this.placed) {
      this.#place();
    }
  }

  #wanted = null;

  #place() {
    const view = this.#wanted;
    this.#wanted = null;
    if (!view) {
      this.showUsual();
      return;
    }
    const room = Math.max(80, this.width - this.label);
    this.perPixel = Math.max(CLOSEST, view.span / room);
    this.usual = false;
    this.follow = view.from == null;
    this.from = view.from ?? this.from;
    this.#keepUp(this.now);
    this.request();
    this.changed?.();
  }

  /** The view for the address; null if it is the default. */
  get view() {
    return this.usual || !this.placed
      ? { span: null, from: null }
      : { span: Math.round((this.width - this.label) * this.perPixel), from: this.follow ? null : Math.round(this.from) };
  }

  setFollow(follow) {
    this.usual &&= follow;
    this.follow = follow;
    this.#keepUp(this.now);
    this.request();
    this.changed?.();
  }

  /** Selects a gang and brings its first bar into view; null selects none. */
  select(gang) {
    if (this.selected !== gang) {
      this.selected = gang;
      this.#show(gang);
    }
    this.request();
  }

  #show(gang) {
    const first = gang && this.#model.barsOf(gang)[0];
    if (first) {
      this.#reveal(first);
    }
  }

  #reveal(bar) {
    const index = this.rows.indexOf(bar.node);
    if (index < 0) {
      return;
    }
    const row = this.rows.all[index];
    const top = this.scroll.scrollTop;
    if (row.top < top || row.top + row.height > top + this.height - AXIS) {
      this.scroll.scrollTop = Math.max(0, row.top - (this.height - AXIS) / 3);
    }
    const end = Math.min(endOf(bar), bar.start + (this.width - this.label) * this.perPixel * 0.5);
    if (end < this.at(this.label + 20) || bar.start > this.at(this.width - 60)) {
      this.follow = false;
      this.usual = false;
      this.from = bar.start - (this.width - this.label) * 0.25 * this.perPixel;
      this.changed?.();
    }
  }

  // ---- finding bars

  /** Returns what is at a point of the canvas: a row, a time, a bar. O(log rows + log bars). */
  find(x, y) {
    if (!this.rows.all.length || y < AXIS) {
      return {};
    }
    const height = y - AXIS + this.scroll.scrollTop;
    const row = this.rows.all[this.rows.at(height)];
    if (height >= row.top + row.height) {
      return {};
    }
    if (x < this.label) {
      return { row, named: Boolean(row.node) };
    }
    const at = this.at(x);
    const lane = row.lanes?.[Math.floor((height - row.top - laneTop(0)) / LANE)];
    const bar = lane?.[firstAfter(lane, at - 2 * this.perPixel)];
    return { row, at, bar: bar && bar.start <= at + 2 * this.perPixel ? bar : null };
  }

  /** The visible bars, row by row. */
  inSight(most) {
    const found = [];
    const bottom = this.scroll.scrollTop + this.height - AXIS;
    const { all } = this.rows;
    for (let i = this.rows.at(this.scroll.scrollTop); i < all.length && all[i].top < bottom && found.length < most; i++) {
      found.push(...barsOf(all[i]).filter(bar => endOf(bar) > this.from && bar.start < this.to));
    }
    return found.slice(0, most);
  }

  point(x, y) {
    const found = this.find(x, y);
    const changed = this.hover !== (found.bar ?? null) || this.hoverRow !== (found.row ?? null);
    this.hover = found.bar ?? null;
    this.hoverRow = found.row ?? null;
    this.scroll.style.cursor = found.bar?.gang || found.named ? 'pointer' : '';
    if (changed) {
      this.request();
    }
    this.#tip(found, x, y);
  }

  unpoint() {
    this.hover = null;
    this.hoverRow = null;
    $('tip').hidden = true;
    this.request();
  }

  #tip(found, x, y) {
    const tip = $('tip');
    const lines = found.bar ? this.describe(found.bar) : found.row?.node ? this.#describeNode(found) : null;
    tip.hidden = !lines;
    if (!lines) {
      return;
    }
    const [title, ...rest] = lines;
    tip.replaceChildren(h('strong', {}, title), ...rest.map(([term, text]) => h('span', {}, h('em', {}, term), text)));
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 14, this.width - box.width - 4))}px`;
    tip.style.top = `${y + 18 + box.height > this.height ? Math.max(4, y - box.height - 10) : y + 18}px`;
  }

  /** Describes a bar in words: a title, and pairs of a term and a text. */
  describe(bar) {
    const { now } = this;
    const node = this.#model.nodes.get(bar.node);
    const title = bar.state === 'taken' ? 'Taken' : bar.gang ?? (bar.count > 1 ? `${bar.count} pods of other schedulers` : bar.pod);
    const price = node && this.#model.priceAt(node, Math.max(bar.start, now));
    return [
      title,
      ['State', bar.overrun ? `${bar.state}, past its expected end` : STATES[bar.state] ?? bar.state],
      ['Time', `${stretch(bar.start, bar.end, now)}${bar.end == null ? '' : ` (${duration(bar.end - bar.start)})`}`],
      ['Node', bar.count > 1 ? `${bar.node}, ${plural(bar.count, 'pod')}` : bar.node],
      bar.cost == null ? null : ['Cost', money(bar.cost)],
      bar.share == null ? null : ['Takes', `${percent(bar.share)} of the node`],
      price == null ? null : ['Node price', `${money(price)} an hour`],
    ].filter(line => line);
  }

  #describeNode({ row: { node }, at }) {
    const { now } = this;
    const when = at ?? now;
    const price = this.#model.priceAt(node, when);
    const agents = this.#model.agents(node.name);
    const away = node.unavailable.find(span => span.start <= when && when < (span.end ?? Infinity));
    return [
      node.name,
      ['Owner', node.owner],
      node.domain == null ? null : ['Domain', node.domain],
      node.type == null ? null : ['Type', node.type],
      ['Capacity', Object.entries(node.capacity).filter(([name]) => name !== 'pods').map(([name, value]) => `${amount(name, value)} ${resourceName(name)}`).join(', ')],
      price == null ? null : ['Price', `${money(price)} an hour at ${moment(Math.floor(when), now)}`],
      agents ? ['Agents', `${plural(agents.count, 'pod')} without an end, ${percent(agents.share ?? 0)} of the node`] : null,
      node.purchase ? ['Bought', purchaseSentence(node, now)] : null,
      away && !node.purchase ? ['Away', `${stretch(away.start, away.end, now)}: its owner keeps it`] : null,
      node.schedulable ? null : ['State', 'cordoned or not ready'],
    ].filter(line => line);
  }

  // ---- the keyboard cursor

  /** Moves the cursor to the next bar in time (`dx`) or to the nearest one of another row (`dy`). */
  move(dx, dy) {
    const here = this.cursor ? this.rows.indexOf(this.cursor.node) : -1;
    const next = here < 0 ? this.#firstInSight() : dy ? this.#inRow(here, dy) : this.#beside(here, dx);
    if (next) {
      this.cursor = next;
      this.#reveal(next);
      this.spoken(this.describe(next).map(line => (Array.isArray(line) ? line.join(' ') : line)).join('. '));
      this.request();
    }
  }

  #firstInSight() {
    return this.inSight(1)[0] ?? this.rows.all.map(barsOf).find(bars => bars.length)?.[0];
  }

  #beside(index, dx) {
    const bars = barsOf(this.rows.all[index]);
    return bars[bars.indexOf(this.cursor) + dx];
  }

  #inRow(index, dy) {
    const middle = Math.max(this.cursor.start, this.from);
    for (let i = index + dy; i >= 0 && i < this.rows.all.length; i += dy) {
      const bars = barsOf(this.rows.all[i]);
      if (bars.length) {
        return bars.reduce((best, bar) => (distance(bar, middle) < distance(best, middle) ? bar : best));
      }
    }
    return null;
  }
}

const distance = (bar, at) => (bar.start > at ? bar.start - at : endOf(bar) < at ? at - endOf(bar) : 0);
