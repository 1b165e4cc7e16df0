import { html, type Markup } from './html.js';
import {
  crossAt,
  isHidden,
  isKnown,
  placesOf,
  type Series,
  shortened,
  TOP,
  WIDTH,
} from './picture-marks.js';

/** Rows of a heat map: more cannot be read. */
export const MOST_HEAT_ROWS = 31;
const [LEFT, ROW, FOOT] = [104, 18, 28];
/** How dark the least value is, that it can be told from a gap. */
const LIGHTEST = 0.1;
const COLOUR = '#0b4f8a';

/** A heat map, and what it is as tall as. */
interface Heat {
  readonly height: number;
  readonly marks: readonly Markup[];
  /** Says what its colours mean. */
  readonly scale: string;
}

/** Draws a table of colours: a column for each place, and a row for each series. */
export function heatOf(series: readonly Series[], places: readonly string[]): Heat {
  const values = series.flatMap(({ points }) => points.filter(isKnown).map(({ value }) => value));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const darkness = (value: number) =>
    most > least ? LIGHTEST + ((1 - LIGHTEST) * (value - least)) / (most - least) : 1;
  const height = TOP + series.length * ROW + FOOT;
  const rows = series.map((one, row) => rowOf(one, TOP + row * ROW, darkness));
  const text = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 4 });
  return {
    height,
    marks: [...rows, placesOf(places, [LEFT, height - 10])],
    scale: `The darker, the more: from ${text(least)} to ${text(most)}.`,
  };
}

function rowOf({ name, points }: Series, top: number, darkness: (value: number) => number): Markup {
  const width = (WIDTH - LEFT) / points.length;
  const cells = points.flatMap((point, place) => {
    const left = LEFT + width * place;
    if (isHidden(point)) return [crossAt(left + width / 2, top + ROW - 5)];
    if (!isKnown(point)) return [];
    const edge = point.isPart && html` stroke="#1c2024" stroke-dasharray="3 2"`;
    return [
      html`<rect x="${left.toFixed(1)}" y="${top}" width="${(width - 1).toFixed(1)}" height="${ROW - 1}" fill="${COLOUR}" fill-opacity="${darkness(point.value).toFixed(2)}"${edge}/>`,
    ];
  });
  return html`<text x="${LEFT - 8}" y="${top + ROW - 5}" text-anchor="end" fill="#4a525b">${shortened(name)}</text>${cells}
`;
}
