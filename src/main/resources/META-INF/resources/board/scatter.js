import { svg } from './dom.js';

const TOP = 10;
const BOTTOM = 24;
/** The least distance, in pixels, at which two labels of an axis do not overlap. */
const LINE = 14;

/** The part of a picture in which points lie; `left` is the room for labels on the left, pixels. */
export const area = ({ width, height, left }) => ({ left, right: width, top: TOP, bottom: height - BOTTOM });

/**
 * A small picture of one figure against another: a frame, marks in it, and labels at the ends of its axes. A label is `{ at, word }`, with its
 * position along the axis in pixels. The last one is aligned to the right edge. Labels that are null are left out.
 */
export function scatter(size, { kind, label, high, low, first, last }, ...marks) {
  const { left, right, top, bottom } = area(size);
  const beside = ({ at, word }) => svg('text', { x: left - 6, y: at + 4, 'text-anchor': 'end' }, word);
  const below = size.height - 6;
  return svg(
    'svg',
    { class: kind, viewBox: `0 0 ${size.width} ${size.height}`, role: 'img', 'aria-label': label },
    svg('path', { class: 'frame', d: `M${left} ${top}V${bottom}H${right}` }),
    ...marks,
    beside(high),
    low.at - high.at > LINE ? beside(low) : null,
    svg('text', { x: first.at, y: below }, first.word),
    svg('text', { x: right - 2, y: below, 'text-anchor': 'end' }, last.word),
  );
}
