import { h, reconcile, say } from './dom.js';
import { exact, money, percent, resourceName, weekday } from './words.js';

/** The key figures under the top bar. */
const OBJECTIVES = {
  user: 'each gang by its own criterion',
  'max-income': 'the owners earn most',
  'min-cost': 'the batch has the lowest cost',
  'min-processor-time': 'least processor time',
  'max-processor-time': 'nodes are idle least',
  'max-value': 'cost and delay together are lowest',
};
const MEASURES = { cost: 'cost', 'processor-time': 'processor time', 'average-utility': 'average loss' };

const count = number => number.toLocaleString('en-US');

export function figures(list, head) {
  const { totals, batch } = head;
  const started = totals.running + totals.starting;
  const earned = head.income.reduce((sum, owner) => sum + Number(owner.running) + Number(owner.promised), 0);
  reconcile(
    list,
    [
      { key: 'Waiting', value: count(totals.waiting), note: 'without a window', kind: totals.waiting ? 'waiting' : '' },
      { key: 'Promised', value: count(totals.promised), note: 'start at a known second' },
      { key: 'Running', value: count(started), note: totals.starting ? `${totals.starting} starting` : 'started together' },
      totals.promises && {
        key: 'Started by what was promised',
        value: `${count(totals.promises.asPromised)} of ${count(totals.promises.started)}`,
        note: moves(totals.promises.moves),
        kind: totals.promises.asPromised < 0.99 * totals.promises.started ? 'promises bad' : 'promises',
      },
      { key: 'In use now', parts: taken(totals), note: 'of all nodes', kind: 'taken' },
      batch && { key: 'Income', value: money(earned), note: `windows until ${weekday(head.horizonEnd)}` },
      batch && { key: 'Objective', value: batch.objective, note: limit(batch) ?? OBJECTIVES[batch.objective] ?? '', kind: 'word' },
    ].filter(figure => figure),
    figure => figure.key,
    figure => h('div', {}, h('dt', {}, figure.key), h('dd'), h('dd.note')),
    (element, figure) => {
      element.className = figure.kind ?? '';
      if (figure.parts) {
        parts(element.children[1], figure.parts);
      } else {
        say(element.children[1], figure.value);
      }
      say(element.children[2], figure.note);
    },
  );
}

/** The numbers of moved promises by cause, the most frequent cause first. */
function moves(causes) {
  const known = Object.entries(causes).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const all = known.reduce((sum, [, times]) => sum + times, 0);
  return all ? `${count(all)} moved: ${known.map(([cause, times]) => `${count(times)} ${cause}`).join(', ')}` : 'none moved for a cause';
}

/** The fraction of each resource that is in use. Resources that every node has come first. */
function taken({ busy, taken: shares }) {
  const known = Object.entries(shares ?? {});
  const first = ['cpu', 'memory'];
  const rank = ([name]) => (first.includes(name) ? first.indexOf(name) : first.length);
  return known.length ? known.sort((a, b) => rank(a) - rank(b)).slice(0, 4) : [['cpu', busy]];
}

function parts(element, all) {
  reconcile(
    element,
    all,
    ([name]) => name,
    ([name]) => h('span', {}, h('small', {}, resourceName(name)), h('b')),
    (part, [, share]) => say(part.children[1], percent(share)),
  );
}

function limit({ limit: bound }) {
  if (!bound) {
    return null;
  }
  const unit = { cost: '', 'processor-time': ' s', 'average-utility': ' %' }[bound.measure] ?? '';
  const figure = bound.figure === 'auto' ? 'the average' : `${bound.measure === 'cost' ? exact(bound.figure) : bound.figure}${unit}`;
  return `${MEASURES[bound.measure] ?? bound.measure} ≤ ${figure}`;
}
