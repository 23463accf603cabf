import { h, reconcile, say } from './dom.js';
import { exact, money, percent } from './words.js';

/** The figures under the top bar. */
const OBJECTIVES = {
  user: 'each gang by its own criterion',
  'max-income': 'the owners earn most',
  'min-cost': 'the batch costs least',
  'min-processor-time': 'least processor time',
  'max-processor-time': 'nodes stand idle least',
};
const MEASURES = { cost: 'cost', 'processor-time': 'processor time', 'average-utility': 'average loss' };

const count = number => number.toLocaleString('en-US');
const tenths = thousandths => `${(thousandths / 10).toFixed(1)} %`;

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
      totals.promisesBroken != null && {
        key: 'Promises broken',
        value: count(totals.promisesBroken),
        note: totals.promisesBroken ? 'since the planner began' : 'none',
        kind: totals.promisesBroken ? 'bad' : '',
      },
      totals.starts && {
        key: 'Promises kept',
        value: tenths(totals.starts.kept),
        note: `to the second; ${tenths(totals.starts.punctual)} when promised first, ${tenths(totals.starts.early)} sooner`,
        kind: totals.starts.kept < 990 ? 'bad' : '',
      },
      { key: 'CPU taken', value: percent(totals.busy), note: 'of all nodes, now' },
      batch && { key: 'Income', value: money(earned), note: 'promised and running' },
      batch && { key: 'Objective', value: batch.objective, note: limit(batch) ?? OBJECTIVES[batch.objective] ?? '', kind: 'word' },
    ].filter(figure => figure),
    figure => figure.key,
    figure => h('div', {}, h('dt', {}, figure.key), h('dd'), h('dd.note')),
    (element, figure) => {
      element.className = figure.kind ?? '';
      say(element.children[1], figure.value);
      say(element.children[2], figure.note);
    },
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
