/** The marks of a time axis in UTC. */
const STEPS = [1, 5, 10, 15, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
const DAY = 86400;
/** The Monday before 1 January 1970, which was a Thursday. Weeks are counted from it. */
const MONDAY = -3 * DAY;

/** The smallest step between marks that are at least `room` pixels apart. */
export function stepFor(secondsPerPixel, room) {
  return STEPS.find(step => step / secondsPerPixel >= room) ?? STEPS.at(-1);
}

/** The marks inside [from, to]. */
export function* ticks(from, to, step) {
  const origin = step === 604800 ? MONDAY : 0;
  for (let at = Math.ceil((from - origin) / step) * step + origin; at <= to; at += step) {
    yield at;
  }
}
