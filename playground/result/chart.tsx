import { useEffect, useRef, useState } from 'react';
import { KIND_NAMES, rolesOf } from '../../src/platform/pictures/kind.js';
import { useDark } from '../dark.js';
import { type Drawn, draw } from './drawing.js';
import { Rows } from './rows.js';

const NARROWEST = 240;

/** A drawing, and the same values as a table. `onDrawn` gets what was drawn. */
export default function Chart({
  table,
  kind,
  measure,
  onDrawn,
}: Omit<Drawn, 'width' | 'isDark'> & { readonly onDrawn: (drawing: Element) => void }) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const isDark = useDark();
  useEffect(() => {
    if (!place.current || width === 0) return;
    const drawing = draw({ table, kind, measure, width, isDark });
    for (const part of [drawing, ...drawing.querySelectorAll('svg')])
      part.setAttribute('aria-hidden', 'true');
    place.current.replaceChildren(drawing);
    onDrawn(drawing);
  }, [table, kind, measure, width, isDark, onDrawn]);
  return (
    <figure className="care-chart">
      <div ref={place} role="img" aria-label={summaryOf({ table, kind, measure })} />
      <figcaption>
        <details>
          <summary>The values as a table</summary>
          <Rows table={table} name={`Values of ${table.name || 'the answer'}`} />
        </details>
      </figcaption>
    </figure>
  );
}

/** Says in a sentence what a drawing shows. */
export function summaryOf({ table, kind, measure }: Omit<Drawn, 'width' | 'isDark'>): string {
  const { along, series } = rolesOf(table);
  const values = table.rows.flatMap((row) => {
    const value = row[measure.name];
    return typeof value === 'number' ? [value] : [];
  });
  const by = [along, ...series].flatMap((column) => (column ? [column.name] : []));
  const text = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 4 });
  const range =
    values.length > 0
      ? `${values.length} values from ${text(Math.min(...values))} to ${text(Math.max(...values))}`
      : 'no values';
  return `${KIND_NAMES[kind]}: ${measure.name} by ${by.join(', ')}; ${range}. The table below has them.`;
}

/** Returns the width that a drawing has, and again when it changes. */
function useWidth(place: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!place.current) return;
    const observer = new ResizeObserver(([entry]) => {
      const seen = Math.floor(entry?.contentRect.width ?? 0);
      if (seen > 0) setWidth(Math.max(seen, NARROWEST));
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return width;
}
