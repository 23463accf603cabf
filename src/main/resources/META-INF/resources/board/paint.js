import { firstAfter, endOf } from './model.js';
import { LANE, laneTop } from './rows.js';
import { stepFor, ticks } from './ticks.js';
import { clock, day, nameOf, notThere, plural } from './words.js';

/** Draws one frame of the chart. Only the visible part costs time, because rows and bars are found by bisection. */
export const AXIS = 42;
const BAR = LANE - 2;
const FIRST_LINE = 27;
const DAY = 86400;
const LEAST_WIDTH = 1.5;
const TEXT_WIDTH = 30;
const NOW_ROOM = 46;
const WEAKEST_SHADE = 0.08;

export class Painter {
  #canvas;
  #context;
  #patterns = new Map();
  #widths = new Map();

  constructor(canvas) {
    this.#canvas = canvas;
    // An opaque canvas is black until something is drawn. The style sheet hides it until then.
    this.#context = canvas.getContext('2d', { alpha: false });
  }

  /** Drops what is cached for other colours, another font or another pixel density. */
  reset() {
    this.#patterns.clear();
    this.#widths.clear();
  }

  /** Draws a frame and returns the number of bars drawn. */
  paint(frame) {
    const context = this.#context;
    context.setTransform(frame.density, 0, 0, frame.density, 0, 0);
    context.fillStyle = frame.colours.panel;
    context.fillRect(0, 0, frame.width, frame.height);
    context.font = frame.font;
    context.textBaseline = 'middle';
    this.#aim(frame);
    context.save();
    context.beginPath();
    context.rect(frame.label, AXIS, frame.width - frame.label, frame.height - AXIS);
    context.clip();
    const drawn = this.#rows(frame);
    context.restore();
    this.#labels(frame);
    this.#axis(frame);
    this.#now(frame);
    this.#canvas.dataset.drawn = '';
    return drawn;
  }

  #rows(frame) {
    let drawn = 0;
    const bottom = frame.scroll + frame.height - AXIS;
    for (let i = frame.rows.at(frame.scroll); i < frame.rows.all.length && frame.rows.all[i].top < bottom; i++) {
      const row = frame.rows.all[i];
      if (row.node) {
        this.#ground(frame, row);
      }
    }
    this.#grid(frame);
    for (let i = frame.rows.at(frame.scroll); i < frame.rows.all.length && frame.rows.all[i].top < bottom; i++) {
      const row = frame.rows.all[i];
      if (row.node) {
        row.lanes.forEach((lane, index) => (drawn += this.#lane(frame, row, lane, index)));
      }
    }
    return drawn;
  }

  /** The background of a row: the price as a shade, and the times that the owner keeps. */
  #ground(frame, row) {
    const context = this.#context;
    const y = frame.y(row);
    this.#shade(frame, row, y);
    for (const away of row.node.unavailable) {
      const [x, width] = frame.across(away.start, away.end ?? Infinity);
      if (width > 0) {
        context.fillStyle = frame.colours['away-fill'];
        context.fillRect(x, y, width, row.height - 1);
        context.fillStyle = this.#pattern(frame, 'away', frame.colours['away-mark']);
        context.fillRect(x, y, width, row.height - 1);
      }
    }
    if (row.node.purchase?.ready != null) {
      this.#starting(frame, row.node.purchase, y, row.height - 1);
    }
    if (!row.node.schedulable) {
      context.fillStyle = this.#pattern(frame, 'away', frame.colours['away-mark']);
      context.fillRect(frame.label, y, frame.width - frame.label, row.height - 1);
    }
    context.fillStyle = frame.colours.hair;
    context.fillRect(frame.label, y + row.height - 1, frame.width - frame.label, 1);
  }

  /** The time for which a bought node is paid but not yet ready. */
  #starting(frame, { bought, ready }, y, height) {
    const [x, width] = frame.across(bought, ready);
    if (width > 0) {
      const context = this.#context;
      context.fillStyle = frame.colours['away-fill'];
      context.fillRect(x, y, width, height);
      context.fillStyle = this.#pattern(frame, 'away', frame.colours['buying-mark']);
      context.fillRect(x, y, width, height);
    }
  }

  #shade(frame, row, y) {
    if (!frame.range) {
      return;
    }
    const pieces = frame.pricesOf(row.node);
    const strongest = Number(frame.colours['price-shade']);
    const context = this.#context;
    context.fillStyle = frame.colours.price;
    for (let i = 0; i < pieces.length; i++) {
      const from = Math.max(frame.now, pieces[i].start ?? frame.now);
      const to = pieces[i + 1]?.start ?? Infinity;
      const [x, width] = frame.across(from, to);
      if (width > 0) {
        context.globalAlpha = strongest * darkness(Number(pieces[i].perHour), frame.range);
        context.fillRect(x, y, width, row.height - 1);
      }
    }
    context.globalAlpha = 1;
  }

  #grid(frame) {
    const context = this.#context;
    context.fillStyle = frame.colours.grid;
    for (const at of ticks(frame.from, frame.to, stepFor(frame.perPixel, 76))) {
      context.fillRect(Math.round(frame.x(at)), AXIS, 1, frame.height - AXIS);
    }
    const past = frame.x(frame.now);
    if (past > frame.label) {
      context.fillStyle = frame.colours.past;
      context.fillRect(frame.label, AXIS, past - frame.label, frame.height - AXIS);
    }
  }

  /** Draws the visible bars of a lane. A bar that would share a pixel with the previous one is left out. */
  #lane(frame, row, lane, index) {
    let drawn = 0;
    let reached = -Infinity;
    const y = frame.y(row) + laneTop(index);
    for (let i = firstAfter(lane, frame.from); i < lane.length && lane[i].start < frame.to; i++) {
      const bar = lane[i];
      const [x, width] = frame.across(bar.start, endOf(bar));
      if (x + width > reached + 0.5 || bar === frame.cursor) {
        this.#bar(frame, bar, x, y, Math.max(LEAST_WIDTH, width - 1));
        reached = x + Math.max(LEAST_WIDTH, width);
        drawn++;
      }
    }
    return drawn;
  }

  #bar(frame, bar, x, y, width) {
    const context = this.#context;
    const colours = frame.barColours(bar);
    context.globalAlpha = frame.faded(bar) ? 0.28 : 1;
    context.fillStyle = colours.fill;
    if (width < 4) {
      context.fillStyle = colours.edge;
      context.fillRect(x, y, width, BAR);
    } else {
      context.beginPath();
      context.roundRect(x, y, width, BAR, 2.5);
      context.fill();
      this.#texture(frame, bar, colours);
      if (bar.overrun) {
        this.#overrun(frame, x + width, y);
      }
      if (width > TEXT_WIDTH) {
        this.#text(frame, bar, x, y, width);
      }
    }
    context.globalAlpha = 1;
    this.#outline(frame, bar, x, y, width);
  }

  /**
   * The texture that tells states apart without colour: stripes for a promise, dots and dashes for held room, an empty frame for the past.
   */
  #texture(frame, bar, colours) {
    const context = this.#context;
    if (bar.state === 'promised' || bar.state === 'held') {
      context.fillStyle = this.#pattern(frame, bar.state, colours.mark);
      context.fill();
    }
    if (bar.state !== 'running' && bar.state !== 'foreign') {
      context.strokeStyle = colours.edge;
      context.lineWidth = 1;
      context.setLineDash(bar.state === 'held' ? [3, 2] : bar.state === 'taken' ? [1, 2] : []);
      context.stroke();
      context.setLineDash([]);
    }
  }

  #overrun(frame, right, y) {
    const context = this.#context;
    context.fillStyle = frame.colours.overrun;
    context.fillRect(right - 4, y, 4, BAR);
  }

  #text(frame, bar, x, y, width) {
    const context = this.#context;
    const left = Math.max(x, frame.label) + 5;
    const room = x + width - left - (bar.overrun ? 8 : 4);
    const text = this.#fitting(label(bar), room);
    if (text) {
      context.fillStyle = frame.faded(bar) ? frame.colours.ink : frame.barColours(bar).ink;
      context.fillText(text, left, y + BAR / 2 + 0.5);
    }
  }

  #outline(frame, bar, x, y, width) {
    const marked = bar === frame.cursor || bar === frame.hover || (frame.selected && bar.gang === frame.selected);
    if (marked) {
      const context = this.#context;
      context.strokeStyle = bar === frame.cursor ? frame.colours.focus : frame.colours.ink;
      context.lineWidth = bar === frame.cursor ? 3 : 1.75;
      context.beginPath();
      context.roundRect(x - 1, y - 1, width + 2, BAR + 2, 3);
      context.stroke();
    }
  }

  #labels(frame) {
    const context = this.#context;
    const { colours, label: right } = frame;
    context.fillStyle = colours.panel;
    context.fillRect(0, AXIS, right, frame.height - AXIS);
    context.save();
    context.beginPath();
    context.rect(0, AXIS, frame.width, frame.height - AXIS);
    context.clip();
    const bottom = frame.scroll + frame.height - AXIS;
    for (let i = frame.rows.at(frame.scroll); i < frame.rows.all.length && frame.rows.all[i].top < bottom; i++) {
      const row = frame.rows.all[i];
      if (row.node) {
        this.#nodeLabel(frame, row);
      } else {
        this.#groupLabel(frame, row);
      }
    }
    context.restore();
    context.fillStyle = colours.line;
    context.fillRect(right - 1, AXIS, 1, frame.height - AXIS);
  }

  #nodeLabel(frame, row) {
    const context = this.#context;
    const y = frame.y(row);
    const { colours } = frame;
    if (frame.hoverRow === row) {
      context.fillStyle = colours.hover;
      context.fillRect(0, y, frame.label - 1, row.height - 1);
    }
    const middle = y + Math.min(row.height, FIRST_LINE) / 2;
    const name = this.#fitting(row.node.name, frame.label - 16);
    const width = context.measureText(name).width;
    context.fillStyle = row.node.schedulable ? colours.ink : colours['ink-3'];
    context.fillText(name, 10, middle);
    if (!row.node.schedulable) {
      context.fillRect(10, middle - 0.5, width, 1);
    }
    if (row.node.purchase) {
      this.#bought(frame, row, y);
    }
    this.#aside(frame, [notThere(row.node), row.node.type ?? row.node.owner].filter(word => word).join(', '), 10 + width, middle);
    context.fillStyle = colours.hair;
    context.fillRect(0, y + row.height - 1, frame.label, 1);
  }

  /** A strip next to the name of a bought node, dashed until the node exists. */
  #bought(frame, row, y) {
    const context = this.#context;
    const height = row.height - 1;
    context.fillStyle = frame.colours.buying;
    if (!notThere(row.node)) {
      context.fillRect(0, y, 4, height);
      return;
    }
    const dash = row.node.purchase.state === 'planned' ? 2 : 4;
    for (let at = 0; at < height; at += 6) {
      context.fillRect(0, y + at, 4, Math.min(dash, height - at));
    }
  }

  /** Further text about a node next to its name, as far as there is room. */
  #aside(frame, text, left, y) {
    const context = this.#context;
    const fitting = this.#fitting(text, frame.label - left - 20);
    if (fitting.length > 3) {
      context.fillStyle = frame.colours['ink-3'];
      context.textAlign = 'right';
      context.fillText(fitting, frame.label - 9, y);
      context.textAlign = 'left';
    }
  }

  #groupLabel(frame, row) {
    const context = this.#context;
    const y = frame.y(row);
    context.fillStyle = frame.colours.group;
    context.fillRect(0, y, frame.width, row.height - 1);
    context.fillStyle = frame.colours.ink;
    context.font = frame.bold;
    context.fillText(row.title, 10, y + row.height / 2);
    const width = context.measureText(row.title).width;
    context.font = frame.font;
    context.fillStyle = frame.colours['ink-2'];
    context.fillText(plural(row.nodes, 'node'), 20 + width, y + row.height / 2);
  }

  #axis(frame) {
    const context = this.#context;
    const { colours, label: left } = frame;
    context.fillStyle = colours.panel;
    context.fillRect(0, 0, frame.width, AXIS);
    context.fillStyle = colours['ink-3'];
    context.fillText('UTC', 10, 30);
    context.save();
    context.beginPath();
    context.rect(left, 0, frame.width - left, AXIS);
    context.clip();
    const step = stepFor(frame.perPixel, 76);
    context.textAlign = 'center';
    if (step < DAY) {
      context.fillStyle = colours['ink-2'];
      const now = frame.x(frame.now);
      for (const at of ticks(frame.from, frame.to, step)) {
        if (Math.abs(frame.x(at) - now) > NOW_ROOM) {
          context.fillText(clock(at), frame.x(at), 30);
        }
      }
    }
    context.textAlign = 'left';
    this.#days(frame, step);
    context.restore();
    context.fillStyle = colours.line;
    context.fillRect(0, AXIS - 1, frame.width, 1);
  }

  /** A date at every midnight, and at the left edge if there is room. */
  #days(frame, step) {
    const context = this.#context;
    context.fillStyle = frame.colours.ink;
    const every = Math.max(DAY, step);
    let first = Infinity;
    for (const at of ticks(frame.from, frame.to, every)) {
      const x = frame.x(at);
      if (x > frame.label) {
        first = Math.min(first, x);
        context.fillRect(Math.round(x), step < DAY ? 4 : 18, 1, step < DAY ? 14 : AXIS - 18);
        context.fillText(day(at), x + 5, 11);
      }
    }
    const text = day(frame.from);
    if (first - frame.label > context.measureText(text).width + 16) {
      context.fillText(text, frame.label + 6, 11);
    }
  }

  #now(frame) {
    const context = this.#context;
    const x = frame.x(frame.now);
    if (x < frame.label || x > frame.width) {
      return;
    }
    context.fillStyle = frame.colours.now;
    context.fillRect(x - 0.75, AXIS - 4, 1.5, frame.height - AXIS + 4);
    const text = clock(frame.now, true);
    const width = context.measureText(text).width + 10;
    const left = Math.min(Math.max(x - width / 2, frame.label + 1), frame.width - width);
    context.beginPath();
    context.roundRect(left, 21, width, 17, 3);
    context.fill();
    context.fillStyle = frame.colours['now-ink'];
    context.fillText(text, left + 5, 30);
  }

  /** Anchors the textures to time and rows, so that they move with the bars. */
  #aim(frame) {
    for (const pattern of this.#patterns.values()) {
      place(pattern, frame);
    }
  }

  #pattern(frame, kind, colour) {
    const key = `${kind} ${colour}`;
    let pattern = this.#patterns.get(key);
    if (!pattern) {
      pattern = this.#context.createPattern(tile(kind, colour, frame), 'repeat');
      this.#patterns.set(key, pattern);
      place(pattern, frame);
    }
    return pattern;
  }

  /** A text shortened in the middle to fit a width, because names differ at their ends; empty if not even two letters fit. */
  #fitting(text, room) {
    let width = this.#widths.get(text);
    if (width === undefined) {
      width = this.#context.measureText(text).width;
      this.#widths.set(text, width);
    }
    if (width <= room) {
      return text;
    }
    const letters = Math.floor((text.length * (room - 8)) / width);
    const tail = letters < 5 ? 0 : Math.floor(letters / 2);
    return letters < 2 ? '' : `${text.slice(0, letters - tail)}…${tail ? text.slice(-tail) : ''}`;
  }
}

function label(bar) {
  if (bar.gang) {
    return bar.count > 1 ? `${nameOf(bar.gang)} ×${bar.count}` : nameOf(bar.gang);
  }
  if (bar.state === 'taken') {
    return 'taken';
  }
  return bar.count > 1 ? plural(bar.count, 'other pod') : nameOf(bar.pod);
}

/**
 * The darkness of a price between that of the cheapest and that of the most expensive node. It is logarithmic: doubling the price looks the
 * same everywhere.
 */
export function darkness(price, { least, most }) {
  if (!(price > 0) || !(most > least)) {
    return 0;
  }
  return WEAKEST_SHADE + ((1 - WEAKEST_SHADE) * Math.log(price / least)) / Math.log(most / least);
}

const TILE = 8;

function place(pattern, frame) {
  const x = -((frame.from / frame.perPixel) % TILE);
  const y = -(frame.scroll % TILE);
  pattern.setTransform(new DOMMatrix([1 / frame.density, 0, 0, 1 / frame.density, x, y]));
}

function tile(kind, colour, frame) {
  const side = Math.round(TILE * frame.density);
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext('2d');
  context.scale(side / TILE, side / TILE);
  if (kind === 'held') {
    context.fillStyle = colour;
    for (const [x, y] of [[2, 2], [6, 6]]) {
      context.beginPath();
      context.arc(x, y, 1.1, 0, 7);
      context.fill();
    }
    return canvas;
  }
  context.strokeStyle = colour;
  context.lineWidth = kind === 'away' ? 1 : 1.4;
  context.beginPath();
  const rising = kind === 'promised';
  for (const offset of [-TILE, 0, TILE]) {
    context.moveTo(offset, rising ? TILE : 0);
    context.lineTo(offset + TILE, rising ? 0 : TILE);
  }
  context.stroke();
  return canvas;
}
