import type { RowRule } from '../../../core/access.js';
import type { Refusal } from '../../../core/errors.js';
import type { Viewer } from '../../../core/viewer.js';
import type { Taxonomy } from '../content.enums.js';
import { REFERRING, RENDERING } from '../rendering/rendering.js';
import { mayEdit } from './item.rights.js';
import type { ItemRow, Shown } from './item.row.js';

const FORBIDDEN: Refusal = {
  reason: 'FORBIDDEN',
  message: 'Sorry, you are not allowed to edit this post.',
};

/** Access to raw texts, the password and what was saved before: for those who may edit the post. */
export const editors: RowRule = (viewer: Viewer, { row }: { row: ItemRow }) =>
  mayEdit(viewer, row) ? undefined : FORBIDDEN;

/** A part of an item that reads its columns. */
export abstract class ItemPart {
  constructor(
    readonly row: ItemRow,
    readonly shown: Shown,
  ) {}

  /** Whether protected texts are open to this caller. */
  protected get isOpen(): boolean {
    const { row, shown } = this;
    return row.password === '' || shown.editing || shown.password === row.password;
  }

  /** Whether the viewer may read protected texts, also without the password. */
  get isReadable(): boolean {
    return this.isOpen || mayEdit(this.shown.viewer, this.row);
  }

  /** Whether the stored title and excerpt are of the present renderer. */
  protected get current(): boolean {
    return [RENDERING, REFERRING].includes(this.row.rendering) && !this.row.insets;
  }

  /** Whether the stored content is, and shows nothing of elsewhere. */
  protected get isWhole(): boolean {
    return this.row.rendering === RENDERING && !this.row.insets;
  }

  /** Returns ids of the terms of a taxonomy, by name of the term. */
  protected termIds(taxonomy: Taxonomy): readonly number[] {
    return this.row[taxonomy] ?? [];
  }
}
