// Draws the curves of all policies on one time axis, and the values under the pointer. The page holds the data.
const data = JSON.parse(document.getElementById('data').textContent);
const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
const scheme = matchMedia('(prefers-color-scheme: dark)');

// A variable of the style sheet is returned as written: light-dark(#one, #other).
function style(name) {
  const both = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return both.slice('light-dark('.length, -1).split(',')[scheme.matches ? 1 : 0].trim();
}
const plots = [];

function words(seconds) {
  const parts = [];
  let rest = Math.round(seconds);
  for (const [unit, name] of [[86400, 'd'], [3600, 'h'], [60, 'm'], [1, 's']]) {
    if (rest >= unit && parts.length < 2) {
      parts.push(Math.floor(rest / unit) + name);
      rest %= unit;
    } else if (parts.length) {
      break;
    }
  }
  return parts.join(' ') || '0s';
}

const brief = value => (value == null ? '–' : value >= 100 ? Math.round(value).toLocaleString('en-US') : String(+value.toPrecision(3)));

function draw() {
  plots.splice(0).forEach(plot => plot.destroy());
  const ink = style('--ink-2');
  const line = style('--line');
  data.curves.forEach((curve, i) => {
    const place = document.getElementById('curve-' + i);
    const hues = data.policies.map((_, p) => 'hsl(' + ((210 + p * 137.5) % 360) + ' 70% ' + (scheme.matches ? 66 : 48) + '%)');
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    plots.push(new uPlot({
      width: place.clientWidth,
      height: 190,
      cursor: { sync: { key: 'time' }, drag: { x: true, y: false } },
      scales: { x: { time: false }, y: { range: (plot, least, most) => [0, (most || 1) * 1.05] } },
      axes: [
        { ...axis, space: 70, values: (plot, marks) => marks.map(words), incrs: [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 432000, 864000, 1728000, 4320000, 8640000, 17280000] },
        { ...axis, size: 56, values: (plot, marks) => marks.map(brief) },
      ],
      series: [
        { label: 'at', value: (plot, at) => (at == null ? '–' : words(at)) },
        ...data.policies.map((policy, p) => ({
          label: policy,
          stroke: hues[p],
          width: 1.6,
          dash: dashes[p % dashes.length],
          spanGaps: true,
          points: { show: false },
          paths: uPlot.paths.stepped({ align: 1 }),
          value: (plot, value) => (value == null ? '–' : brief(value) + curve.unit),
        })),
      ],
    }, uPlot.join(curve.series), place));
  });
  document.documentElement.dataset.drawn = plots.length;
}

draw();
new ResizeObserver(() => plots.forEach((plot, i) => plot.setSize({ width: document.getElementById('curve-' + i).clientWidth, height: 190 }))).observe(document.body);
scheme.addEventListener('change', draw);

const tip = document.createElement('div');
tip.className = 'tip';
tip.hidden = true;
document.querySelector('main').append(tip);
document.addEventListener('pointermove', event => {
  const title = event.target.closest && event.target.closest('.runs rect')?.querySelector('title');
  tip.hidden = !title;
  if (title) {
    tip.textContent = title.textContent;
    tip.style.left = Math.max(8, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + 'px';
    tip.style.top = (event.clientY + 16 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 8 : event.clientY + 16) + 'px';
  }
});
