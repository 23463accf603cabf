import { endOf } from './model.js';

/**
 * The rows of the chart: one for each node, and one above each group. A row's position is the sum of the heights above it, so
 * that rows are found by bisection.
 */
export const LANE = 17;
const PADDING = 4;
const LEAST = 25;
const GROUP = 26;

export class Rows {
  constructor(rows) {
    this.all = rows;
    let top = 0;
    for (const row of rows) {
      row.top = top;
      top += row.height;
    }
    this.height = top;
  }

  /**
   * The rows of a model. O(nodes + bars of changed nodes).
   *
   * @param group the member or level of a node by which it is grouped; empty: no groups
   * @param query lower-case text that a node, or a gang on it, must contain; empty: all nodes
   */
  static of(model, group, query) {
    const shown = model.inOrder().filter(node => !query || matchesNode(node, query) || hasMatch(model, node, query));
    if (!group) {
      return new Rows(shown.map(node => nodeRow(model, node)));
    }
    const groups = new Map();
    for (const node of shown) {
      const key = node[group] ?? node.levels?.[group] ?? '';
      groups.has(key) ? groups.get(key).push(node) : groups.set(key, [node]);
    }
    const rows = [];
    for (const [key, nodes] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
      rows.push({ title: key || `no ${group}`, nodes: nodes.length, height: GROUP });
      nodes.forEach(node => rows.push(nodeRow(model, node)));
    }
    return new Rows(rows);
  }

  /** The index of the row at this height, or of the last row above it. O(log rows). */
  at(y) {
    let low = 0;
    let high = this.all.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.all[middle].top <= y) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  indexOf(node) {
    return this.all.findIndex(row => row.node?.name === node);
  }
}

/** The top of a lane relative to that of its row. */
export const laneTop = lane => PADDING + lane * LANE;

function nodeRow(model, node) {
  const lanes = model.lanes(node.name);
  return { node, lanes, height: Math.max(LEAST, 2 * PADDING + lanes.length * LANE - 2) };
}

const includes = (text, query) => text != null && text.toLowerCase().includes(query);

const matchesNode = (node, query) => ['name', 'owner', 'domain', 'type'].some(key => includes(node[key], query));

export const matchesGang = (id, query) => includes(id, query);

function hasMatch(model, node, query) {
  return model.lanes(node.name).some(lane => lane.some(bar => matchesGang(bar.gang, query)));
}

/** All bars of a row by start. */
export function barsOf(row) {
  return (row.lanes ?? []).flat().sort((a, b) => a.start - b.start || endOf(a) - endOf(b));
}
