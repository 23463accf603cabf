import { namespaceOf } from './words.js';

const NAMES = new Intl.Collator('en', { numeric: true });

/**
 * The board's data, kept up to date by documents and changes. Bars are indexed by node and time. The bars of a node lie in lanes. Bars of a
 * lane do not overlap and are sorted by start, and so by end. The visible ones are found by bisection.
 */
export class Model {
  constructor() {
    this.version = null;
    this.head = null;
    this.nodes = new Map();
    this.bars = new Map();
    this.gangs = new Map();
    this.prices = [];
    this.onNode = new Map();
    this.ofGang = new Map();
    this.laid = new Map();
    this.sorted = null;
  }

  get loaded() {
    return this.head !== null;
  }

  /** Takes a whole document. O(bars log bars). */
  replace(document) {
    this.nodes = new Map(document.nodes.map(node => [node.name, node]));
    this.gangs = new Map(document.gangs.map(gang => [gang.id, gang]));
    this.bars = new Map();
    this.onNode = new Map();
    this.ofGang = new Map();
    this.laid = new Map();
    this.sorted = null;
    document.bars.forEach(bar => this.#add(bar));
    this.#takeHead(document);
  }

  /** Applies a change. Returns false if the change belongs to an edition other than the current one. O(size of the change). */
  change(change) {
    if (change.from !== this.version) {
      return false;
    }
    if (change.nodes) {
      merge(this.nodes, change.nodes, 'name');
      this.sorted = null;
    }
    merge(this.gangs, change.gangs, 'id');
    if (change.bars) {
      change.bars.gone.forEach(id => this.#drop(id));
      change.bars.set.forEach(bar => {
        this.#drop(bar.id);
        this.#add(bar);
      });
    }
    this.#takeHead(change);
    return true;
  }

  #takeHead(document) {
    this.version = document.version;
    this.prices = document.prices ?? this.prices;
    const { ready, planning, now, horizonEnd, batch, totals, income, notes, currency, buying, queues } = document;
    this.head = { ready, planning, now, horizonEnd, batch, totals, income, notes, currency, buying, queues };
  }

  #add(bar) {
    this.bars.set(bar.id, bar);
    sets(this.onNode, bar.node).add(bar);
    this.laid.delete(bar.node);
    if (bar.gang) {
      sets(this.ofGang, bar.gang).add(bar);
    }
  }

  #drop(id) {
    const bar = this.bars.get(id);
    if (bar) {
      this.bars.delete(id);
      this.onNode.get(bar.node).delete(bar);
      this.laid.delete(bar.node);
      this.ofGang.get(bar.gang)?.delete(bar);
    }
  }

  /**
   * The lanes of a node: the fewest in which its bars do not overlap, filled by start. O(bars log bars + bars x lanes), computed once after
   * each change.
   */
  lanes(node) {
    let lanes = this.laid.get(node);
    if (!lanes) {
      lanes = layLanes([...(this.onNode.get(node) ?? [])].filter(bar => !isAgents(bar)));
      this.laid.set(node, lanes);
    }
    return lanes;
  }

  /** The small pods without an end that run on every node. They get no lane of their own. */
  agents(node) {
    return [...(this.onNode.get(node) ?? [])].find(isAgents);
  }

  /** The nodes by name. Numbers in names compare by value. */
  inOrder() {
    this.sorted ??= [...this.nodes.values()].sort((a, b) => NAMES.compare(a.name, b.name));
    return this.sorted;
  }

  barsOf(gang) {
    return [...(this.ofGang.get(gang) ?? [])].sort((a, b) => a.start - b.start || (a.node < b.node ? -1 : 1));
  }

  barsOn(node) {
    return [...(this.onNode.get(node) ?? [])].sort((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1));
  }

  /** All namespaces that have a gang. */
  namespaces() {
    return new Set([...this.gangs.keys()].map(namespaceOf));
  }

  /** The lowest price above zero and the highest price of all nodes, per hour; null if no node has a price. */
  priceRange() {
    const all = this.prices.flatMap(price => price.pieces.map(piece => Number(piece.perHour))).filter(price => price > 0);
    return all.length ? { least: all.reduce((a, b) => Math.min(a, b)), most: all.reduce((a, b) => Math.max(a, b)) } : null;
  }

  /** The pieces of a node's price. */
  priceOf(node) {
    return this.prices[node.price]?.pieces ?? [];
  }

  /** The price of a node at a second. */
  priceAt(node, at) {
    return this.priceOf(node).findLast(piece => piece.start == null || piece.start <= at)?.perHour;
  }

  /** The last planned end; null if there is none. */
  lastEnd() {
    let last = null;
    for (const bar of this.bars.values()) {
      if (bar.end != null && bar.state !== 'foreign' && bar.state !== 'taken' && (last === null || bar.end > last)) {
        last = bar.end;
      }
    }
    return last;
  }
}

const MOST_OF_AGENTS = 100;

const isAgents = bar => (bar.state === 'foreign' || bar.state === 'taken') && bar.end == null && (bar.share ?? 0) <= MOST_OF_AGENTS;

export const endOf = bar => bar.end ?? Infinity;

function sets(map, key) {
  let set = map.get(key);
  if (!set) {
    set = new Set();
    map.set(key, set);
  }
  return set;
}

function merge(map, part, key) {
  part?.gone.forEach(id => map.delete(id));
  part?.set.forEach(member => map.set(member[key], member));
}

function layLanes(bars) {
  bars.sort((a, b) => a.start - b.start || endOf(b) - endOf(a) || (a.id < b.id ? -1 : 1));
  const lanes = [];
  for (const bar of bars) {
    const lane = lanes.find(taken => endOf(taken.at(-1)) <= bar.start);
    if (lane) {
      lane.push(bar);
    } else {
      lanes.push([bar]);
    }
  }
  return lanes;
}

/** The index of the first bar of a lane that ends after `at`. O(log bars). */
export function firstAfter(lane, at) {
  let low = 0;
  let high = lane.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(lane[middle]) > at) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}
