import { useState } from 'react';
import type { Column, Table, TableRow } from '../../src/platform/pictures/table.js';
import { filtered, nextOrder, type Order, sorted } from './sorting.js';

/** Rows that are put into the page at once. */
const MOST_SHOWN = 500;

/** Returns a cell as people read it. */
export const cellText = (value: TableRow[string] | undefined): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'number'
      ? value.toLocaleString('en', { maximumFractionDigits: 4 })
      : String(value);

/** The rows of a table, which can be ordered by a column and filtered by a text. */
export function Rows({ table, name }: { readonly table: Table; readonly name: string }) {
  const [order, setOrder] = useState<Order>();
  const [text, setText] = useState('');
  const [shown, setShown] = useState(MOST_SHOWN);
  const rows = sorted(filtered(table.rows, text), order);
  return (
    <div className="care-rows">
      <label className="care-filter">
        Filter rows
        <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <p className="care-count" aria-live="polite">
        {rows.length === table.rows.length
          ? `${rows.length} rows`
          : `${rows.length} of ${table.rows.length} rows`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard */}
      <section className="care-scroll" tabIndex={0} aria-label={name}>
        <table>
          <caption>{name}</caption>
          <thead>
            <tr>
              {table.columns.map((column) => (
                <Head key={column.name} column={column} order={order} onOrder={setOrder} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of an answer have no key
              <tr key={index}>
                {table.columns.map((column) => (
                  <td key={column.name} className={`care-${column.kind}`}>
                    {cellText(row[column.name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > shown && (
        <button type="button" onClick={() => setShown(shown + MOST_SHOWN)}>
          Show more rows
        </button>
      )}
    </div>
  );
}

interface HeadProps {
  readonly column: Column;
  readonly order: Order | undefined;
  readonly onOrder: (order: Order | undefined) => void;
}

function Head({ column, order, onOrder }: HeadProps) {
  const own = order?.column === column.name ? order : undefined;
  const way = own ? (own.isDescending ? 'descending' : 'ascending') : 'none';
  const sign = { none: '↕', ascending: '↑', descending: '↓' }[way];
  return (
    <th scope="col" aria-sort={way} className={`care-${column.kind}`}>
      <button
        type="button"
        className="care-head"
        onClick={() => onOrder(nextOrder(order, column.name))}
      >
        {column.name} <span aria-hidden="true">{sign}</span>
      </button>
    </th>
  );
}
