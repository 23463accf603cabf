/** Times, durations and money in words. Times are seconds since the epoch and are shown in UTC, as on the command line and in events. */

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const UNITS = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];

const two = number => String(number).padStart(2, '0');

/** Converts an instant of an answer, such as `2030-01-01T00:00:00Z`, to seconds since the epoch. Numbers are returned unchanged. */
export function second(instant) {
  return instant == null ? null : typeof instant === 'number' ? instant : Math.floor(Date.parse(instant) / 1000);
}

export function clock(at, withSeconds = false) {
  const date = new Date(at * 1000);
  const text = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  return withSeconds || date.getUTCSeconds() ? `${text}:${two(date.getUTCSeconds())}` : text;
}

export function day(at) {
  const date = new Date(at * 1000);
  return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** A time within the coming week: `Wed 10:59`. */
export const weekday = at => `${DAYS[new Date(at * 1000).getUTCDay()]} ${clock(at - (((at % 60) + 60) % 60))}`;

const sameDay = (a, b) => Math.floor(a / 86400) === Math.floor(b / 86400);

/** A time as people write it at `now`: without the date if it is today. */
export function moment(at, now) {
  return sameDay(at, now) ? clock(at) : `${day(at)}, ${clock(at)}`;
}

/** A time range. The end has a date only if it is on another day. */
export function stretch(start, end, now) {
  if (end == null) {
    return `${moment(start, now)} with no known end`;
  }
  return `${moment(start, now)} – ${sameDay(start, end) ? clock(end) : moment(end, now)}`;
}

/** The two largest units of a duration, such as `2 h 5 min`. Seconds are shown only if there are few minutes. */
export function duration(seconds) {
  let rest = Math.round(Math.abs(seconds));
  if (rest >= 600) {
    rest -= rest % 60;
  }
  const parts = [];
  for (const [unit, name] of UNITS) {
    if (rest >= unit && parts.length < 2) {
      parts.push(`${Math.floor(rest / unit)} ${name}`);
    } else if (parts.length) {
      break;
    }
    rest %= unit;
  }
  return parts.length ? parts.join(' ') : '0 s';
}

export function relative(at, now) {
  const distance = at - now;
  return Math.abs(distance) < 1 ? 'now' : distance > 0 ? `in ${duration(distance)}` : `${duration(distance)} ago`;
}

/**
 * Money is exact text with six decimals. Two decimals are shown, or four below 0.1, and the amount is rounded up: the shown sum always suffices to
 * pay.
 */
export function money(text) {
  return text == null ? '–' : withCurrency(figure(text));
}

/** The same without the currency, next to a sum that has it. */
export function figure(text) {
  const micros = Math.round(Number(text) * 1e6);
  const digits = micros !== 0 && Math.abs(micros) < 100_000 ? 4 : 2;
  const unit = 10 ** (6 - digits);
  return ((Math.ceil(micros / unit) * unit) / 1e6).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Two sums of one sentence without the currency, in the same precision. The second sum is exact and determines the number of decimals. */
export function alike(text, precise) {
  const digits = Math.max(decimals(figure(text)), decimals(Number(precise).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })));
  const unit = 10 ** (6 - digits);
  const shown = micros => (micros / 1e6).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return [shown(Math.ceil(Math.round(Number(text) * 1e6) / unit) * unit), shown(Math.round(Number(precise) * 1e6))];
}

const decimals = text => text.length - text.indexOf('.') - 1;

let currency = '';

/** Sets the currency that is shown with money; null for none. */
export function setCurrency(name) {
  currency = name ?? '';
}

/** Adds the currency: a sign before a figure, a name after it. */
export const withCurrency = text => (!currency ? text : /^\p{Sc}$/u.test(currency) ? `${currency}${text}` : `${text}\u00a0${currency}`);

/** Money with all of its decimals, at least two. For budgets and limits, which people compare, and for values that people copy. */
export function exact(text) {
  return text == null ? '–' : withCurrency(Number(text).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 }));
}

const RESOURCES = { cpu: 'CPU', memory: 'Memory', pods: 'Pods', 'ephemeral-storage': 'Storage' };

/** A resource's usual name: `nvidia.com/gpu` is GPU. */
export const resourceName = name => RESOURCES[name] ?? (name.endsWith('/gpu') ? 'GPU' : name.slice(name.indexOf('/') + 1));

/** An amount of a resource: milli-cores of cpu, bytes of memory and storage, units of everything else. */
export function amount(resource, value) {
  if (resource === 'cpu') {
    return value < 1000 && value > 0 ? `${value} m` : String(+(value / 1000).toFixed(2));
  }
  if (resource === 'memory' || resource.includes('storage')) {
    const power = Math.min(4, Math.floor(Math.log2(Math.max(1, value)) / 10));
    return `${+(value / 2 ** (10 * power)).toFixed(1)} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`;
  }
  return String(value);
}

export const percent = thousandths => `${(thousandths / 10).toFixed(thousandths % 10 && thousandths < 100 ? 1 : 0)} %`;

export const plural = (count, word) => `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;

/** The state of a bought node that does not exist yet; null if the node exists or is not bought. */
export const notThere = node => (node.purchase && node.purchase.state !== 'bought' ? node.purchase.state : null);

/** A sentence about a node's purchase; null if the node is not bought. */
export function purchaseSentence({ purchase }, now) {
  if (!purchase) {
    return null;
  }
  const { state, offer, bought, ready } = purchase;
  const what = offer == null ? 'Bought' : state === 'planned' ? `To be bought as ${offer}` : `Bought as ${offer}`;
  switch (state) {
    case 'planned':
      return `${what} at ${moment(bought, now)}, there at ${moment(ready, now)}.`;
    case 'starting':
      return `${what} at ${moment(bought, now)}; it is starting, and expected at ${moment(ready, now)}.`;
    default:
      return bought == null ? `${what}.` : `${what} at ${moment(bought, now)}.`;
  }
}

/** The part of an id after the namespace. */
export const nameOf = id => id.slice(id.indexOf('/') + 1);
export const namespaceOf = id => id.slice(0, id.indexOf('/'));

export const nodeLink = name => `#/nodes/${encodeURIComponent(name)}`;

export const gangLink = id => `#/gangs/${encodeURIComponent(namespaceOf(id))}/${encodeURIComponent(nameOf(id))}`;
