import type { ModelRow } from '../definition/model.document.js';
import type { StoredValue } from '../field/value-rule.js';

/** Values of an item by the ids of fields, those in the trash included. */
export type ItemValues = Readonly<Record<string, StoredValue>>;

/** An item as it is stored. */
export interface ModelItemRow {
  readonly id: number;
  readonly model: ModelRow;
  readonly values: ItemValues;
  readonly version: number;
  readonly authorId: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
