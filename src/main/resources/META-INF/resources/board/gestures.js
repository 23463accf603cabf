import { AXIS } from './paint.js';

/** Pointer, touch and keyboard control of the chart. */
const CLICK = 5;
const ZOOM = 1.4;

export function gestures(chart, { help, find }) {
  pointers(chart);
  wheel(chart);
  chart.scroll.addEventListener('keydown', event => {
    const action = KEYS[event.key];
    if (action && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      action(chart, event.shiftKey);
    }
  });
  document.addEventListener('keydown', event => {
    const typing = event.target.closest('input, select, textarea, dialog');
    if (typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === '/') {
      event.preventDefault();
      find();
    } else if (event.key === '?') {
      help();
    }
  });
}

const page = chart => chart.height - AXIS;

const KEYS = {
  ArrowLeft: (chart, shift) => (shift ? chart.panBy(-80) : chart.move(-1, 0)),
  ArrowRight: (chart, shift) => (shift ? chart.panBy(80) : chart.move(1, 0)),
  ArrowUp: (chart, shift) => (shift ? chart.scroll.scrollBy(0, -50) : chart.move(0, -1)),
  ArrowDown: (chart, shift) => (shift ? chart.scroll.scrollBy(0, 50) : chart.move(0, 1)),
  PageUp: chart => chart.scroll.scrollBy(0, -page(chart)),
  PageDown: chart => chart.scroll.scrollBy(0, page(chart)),
  Home: chart => chart.scroll.scrollTo(0, 0),
  End: chart => chart.scroll.scrollTo(0, chart.rows.height),
  '+': chart => chart.zoomBy(1 / ZOOM),
  '=': chart => chart.zoomBy(1 / ZOOM),
  '-': chart => chart.zoomBy(ZOOM),
  f: chart => chart.fit(),
  u: chart => chart.showUsual(),
  n: chart => chart.setFollow(!chart.follow),
  Enter: chart => chart.cursor?.gang && chart.open(chart.cursor.gang),
  Escape: chart => chart.open(null),
};

function pointers(chart) {
  const down = new Map();
  let moved = 0;
  let apart = 0;
  const area = chart.scroll;
  const place = event => {
    const box = area.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = () => {
    const [a, b] = [...down.values()];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), middle: (a.x + b.x) / 2 };
  };
  area.addEventListener('pointerdown', event => {
    if (event.button !== 0 || event.offsetX > area.clientWidth) {
      return;
    }
    down.set(event.pointerId, place(event));
    moved = down.size > 1 ? Infinity : 0;
    apart = down.size === 2 ? spread().distance : 0;
  });
  area.addEventListener('pointermove', event => {
    const at = place(event);
    const before = down.get(event.pointerId);
    if (!before) {
      chart.point(at.x, at.y);
      return;
    }
    down.set(event.pointerId, at);
    if (down.size === 2) {
      const { distance, middle } = spread();
      chart.zoomBy(apart / distance, middle);
      apart = distance;
      return;
    }
    moved += Math.abs(at.x - before.x) + Math.abs(at.y - before.y);
    if (moved > CLICK) {
      area.setPointerCapture(event.pointerId);
      area.classList.add('dragged');
      chart.unpoint();
      chart.panBy(before.x - at.x);
      if (event.pointerType === 'mouse') {
        area.scrollTop += before.y - at.y;
      }
    }
  });
  const up = event => {
    const at = down.get(event.pointerId);
    down.delete(event.pointerId);
    area.classList.remove('dragged');
    if (at && event.type === 'pointerup' && moved <= CLICK) {
      click(chart, at);
    }
  };
  area.addEventListener('pointerup', up);
  area.addEventListener('pointercancel', up);
  area.addEventListener('pointerleave', () => chart.unpoint());
}

function click(chart, { x, y }) {
  const { bar, named, row } = chart.find(x, y);
  if (named) {
    chart.openNode(row.node.name);
    return;
  }
  if (bar) {
    chart.cursor = bar;
    if (bar.gang) {
      chart.open(bar.gang);
    }
  }
  chart.point(x, y);
}

/** The wheel scrolls the rows; with Ctrl, over the axis, or where there is nothing to scroll, it zooms; sideways it pans. */
function wheel(chart) {
  chart.scroll.addEventListener(
    'wheel',
    event => {
      const box = chart.scroll.getBoundingClientRect();
      const overAxis = event.clientY - box.top < AXIS;
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const still = chart.scroll.scrollHeight <= chart.scroll.clientHeight + 1;
      if (sideways) {
        event.preventDefault();
        chart.panBy(event.deltaX || event.deltaY);
      } else if (event.ctrlKey || event.metaKey || overAxis || still) {
        event.preventDefault();
        const by = Math.max(-120, Math.min(120, event.deltaY));
        chart.zoomBy(1.0035 ** by, event.clientX - box.left);
      }
    },
    { passive: false },
  );
}
