import { h } from './dom.js';
import { linkTo, table } from './gang-page.js';
import { money, nodeLink, stretch } from './words.js';

/**
 * The visible bars as a table, for people who cannot see the canvas. The table is filled only while it is open, and only where it changes.
 */
const MOST = 200;
const PAUSE = 400;

export class BarsTable {
  #timer = 0;
  #shown = '';

  constructor(details, chart) {
    this.details = details;
    this.chart = chart;
    this.place = details.querySelector('.scroller');
    details.addEventListener('toggle', () => this.#draw());
  }

  update() {
    if (this.details.open && !this.#timer) {
      this.#timer = setTimeout(() => {
        this.#timer = 0;
        this.#draw();
      }, PAUSE);
    }
  }

  #draw() {
    if (!this.details.open || this.place.contains(document.activeElement)) {
      return;
    }
    const bars = this.chart.inSight(MOST + 1);
    const { now } = this.chart;
    const signature = bars.map(bar => `${bar.id} ${bar.cost}`).join();
    if (signature === this.#shown && this.place.firstChild) {
      return;
    }
    this.#shown = signature;
    this.place.replaceChildren(
      bars.length
        ? table('Bars in sight', ['Node', 'Gang or pod', 'State', 'Pods', 'Time', 'Cost'], bars.slice(0, MOST).map(bar => ({
            cells: [h('a', { href: nodeLink(bar.node) }, bar.node), bar.gang ? linkTo(bar.gang) : bar.state === 'taken' ? 'of a namespace that you cannot see' : bar.count > 1 ? 'other pods' : bar.pod, bar.overrun ? `${bar.state}, overrun` : bar.state, String(bar.count), stretch(bar.start, bar.end, now), money(bar.cost)],
          })))
        : h('p', {}, 'No bar is in sight.'),
      bars.length > MOST ? h('p', {}, `Only the first ${MOST} are listed: zoom in or search for fewer.`) : '',
    );
  }
}
