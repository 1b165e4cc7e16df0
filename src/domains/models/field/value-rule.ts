import type { FieldPart } from '../definition/model.document.js';

/** A value as items store it. */
export type StoredValue = string | number | boolean | readonly (string | number)[];
/** A value that fits, or what would: `must be …`. */
export type Checked = { readonly value: StoredValue } | { readonly fault: string };
/** What a value is compared by: a folded text, a number, or each entry of a list. */
export type KeyKind = 'text' | 'number' | 'list' | 'none';

/** How a type of field takes values, and compares them. */
export interface Rule {
  readonly check: (value: unknown, field: FieldPart) => Checked;
  readonly key: (field: FieldPart) => KeyKind;
  /** Whether values are HTML, which `check` leaves as it is and which is sanitised to be stored. */
  readonly isHtml?: boolean;
}
