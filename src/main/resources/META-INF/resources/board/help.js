import { h } from './dom.js';

/** The help dialog with the keys. */
const KEYS = [
  ['← →', 'the bar before, the bar after'],
  ['↑ ↓', 'the nearest bar of the node above, below'],
  ['Enter', 'open the bar’s gang'],
  ['Esc', 'back to all gangs'],
  ['+ −', 'zoom in, zoom out'],
  ['Shift with arrows', 'move the view'],
  ['Page up, Page down', 'scroll the nodes'],
  ['U', 'half an hour of past and four of future'],
  ['F', 'fit all that is planned'],
  ['N', 'auto-scroll on / off'],
  ['/', 'search'],
  ['?', 'these keys'],
];

export function help(dialog) {
  if (!dialog.firstChild) {
    dialog.append(
      h('h2', { id: 'help-title' }, 'Keys'),
      h('p', {}, 'In the chart, which the Tab key reaches; / and ? work everywhere.'),
      h('dl.keys', {}, KEYS.map(([keys, what]) => h('div', {}, h('dt', {}, keys), h('dd', {}, what)))),
      h('p', {}, 'The wheel scrolls the nodes; with Ctrl, or over the times, it zooms. Dragging moves the view, two fingers zoom.'),
      h('form', { method: 'dialog' }, h('button.main', {}, 'Close')),
    );
  }
  dialog.showModal();
}
