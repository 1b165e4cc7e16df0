import type { Cell, TableRow } from '../../src/platform/pictures/table.js';

/** An order of a table's rows. */
export interface Order {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Returns the rows in an order; rows without a value come last. */
export function sorted(rows: readonly TableRow[], order: Order | undefined): readonly TableRow[] {
  if (!order) return rows;
  const { column, isDescending } = order;
  const way = isDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [left, right] = [a[column] ?? null, b[column] ?? null];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return way * compared(left, right);
  });
}

const compared = (left: NonNullable<Cell>, right: NonNullable<Cell>): number =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : String(left).localeCompare(String(right), 'en', { numeric: true });

/** Returns the rows that have a text in one of their cells, whatever its case. */
export function filtered(rows: readonly TableRow[], text: string): readonly TableRow[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return rows;
  return rows.filter((row) =>
    Object.values(row).some((cell) =>
      String(cell ?? '')
        .toLowerCase()
        .includes(wanted),
    ),
  );
}

/** Returns the order after somebody has chosen a column: ascending, descending, none. */
export function nextOrder(order: Order | undefined, column: string): Order | undefined {
  if (order?.column !== column) return { column, isDescending: false };
  return order.isDescending ? undefined : { column, isDescending: true };
}
