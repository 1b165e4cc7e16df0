import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { accountsById } from '../../accounts/account.service.js';
import { authorsById } from '../../content/author/author.service.js';
import type { Kind } from '../../content/item/item.kinds.js';
import { mayRead } from '../../content/item/item.rights.js';
import { shownTo } from '../../content/item/item.service.js';
import { ITEM_CLASSES } from '../../content/item/item-kinds.types.js';
import { rowsById } from '../../content/item/item-row.service.js';
import { mediaById } from '../../content/media/media.service.js';
import { termsById } from '../../content/term/term.service.js';
import type { FieldPart } from '../definition/model.document.js';
import { modelsByName } from '../definition/model.service.js';
import { maySee } from '../definition/model-list.service.js';
import { isMultiple, isNothing, pointsAtRows, type Target, targetOf } from '../field/list-rule.js';
import type { StoredValue } from '../field/value-rule.js';
import { modelItemsById } from './model-item.service.js';

const { sql } = Prisma;

/** Statements that find which of some ids there are, by the kind of target. */
function existing(target: Target, ids: readonly number[]): Prisma.Sql | undefined {
  switch (target.kind) {
    case 'model':
      return sql`SELECT i.id FROM model_item i JOIN model_definition d ON d.id = i.definition_id
        WHERE i.id = ANY(${ids}::int[]) AND d.name = ${target.name} AND d.removed_at IS NULL`;
    case 'item':
      return sql`SELECT id FROM content_item WHERE id = ANY(${ids}::int[])
        AND kind = ${target.name}`;
    case 'term':
      return sql`SELECT id FROM term WHERE id = ANY(${ids}::int[]) AND taxonomy = ${target.name}`;
    case 'media':
      return sql`SELECT id FROM media WHERE id = ANY(${ids}::int[])`;
    case 'account':
      return sql`SELECT id FROM account WHERE id = ANY(${ids}::int[])`;
    default:
      return undefined;
  }
}

/**
 * Returns the ids that name no row of the target of a field, or one that the viewer may not see:
 * who writes ids is not told which of these there are.
 */
export async function unknownTargets(
  context: RequestContext,
  field: FieldPart,
  ids: readonly number[],
): Promise<number[]> {
  const statement = existing(targetOf(field), ids);
  if (!statement) return [];
  const rows = (await context.rows<{ id: number }>(statement)).map(({ id }) => id);
  const isOpen = await seesAllTargets(context, field);
  const found = new Set(isOpen ? rows : await visibleIds(context, field, rows));
  return ids.filter((id) => !found.has(id));
}

/**
 * Returns the rows that a field points at, those alone that the viewer may see: of accounts the
 * authors of published content, for administrators all. One statement for all fields of one kind in
 * a response.
 */
export async function targetsOf(
  context: RequestContext,
  field: FieldPart,
  ids: readonly number[],
): Promise<object[]> {
  const rows = await Promise.all(ids.map((id) => load(context, targetOf(field), id)));
  return rows.filter((row) => row !== undefined && row !== null) as object[];
}

/** Returns the ids of those rows that a field points at and the viewer may see. */
export async function visibleIds(
  context: RequestContext,
  field: FieldPart,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await Promise.all(ids.map((id) => load(context, targetOf(field), id)));
  return ids.filter((_, i) => rows[i] !== undefined && rows[i] !== null);
}

/** Returns whether the viewer may see every row that a field can point at, if it points at rows. */
export async function seesAllTargets(context: RequestContext, field: FieldPart): Promise<boolean> {
  if (!pointsAtRows(field)) return true;
  const target = targetOf(field);
  switch (target.kind) {
    case 'model': {
      const model = await context.loader(modelsByName).load(target.name);
      return model !== undefined && maySee(context, model);
    }
    case 'item':
    case 'media': // they are hidden with the items that they are attached to
      return context.viewer.can('edit_others_posts');
    case 'account':
      return context.viewer.can('manage_accounts');
    default:
      return true;
  }
}

/**
 * Returns a value as the viewer may see it: of rows that it points at those that the viewer may
 * see; undefined when none is left.
 */
export async function visibleValue(
  context: RequestContext,
  field: FieldPart,
  value: StoredValue,
): Promise<StoredValue | undefined> {
  if (!pointsAtRows(field)) return value;
  if (!Array.isArray(value)) {
    const [id] = await visibleIds(context, field, [value as number]);
    return id;
  }
  const ids = await visibleIds(context, field, value as number[]);
  return ids.length > 0 || value.length === 0 ? ids : undefined;
}

/**
 * Returns the ids that a field holds after it is set, and which stored ones may be given again, those
 * that the viewer may see: nobody takes away a stored row that they may not see. A list keeps such
 * rows behind the given ones, in their stored order; a list that is given as it was read stays as it
 * is stored. A single row stays until another is given. Administrators replace all.
 */
export async function withHidden(
  context: RequestContext,
  field: FieldPart,
  given: unknown,
  stored: readonly number[],
): Promise<{ value: unknown; shown: readonly number[] }> {
  const seesAll = context.viewer.can('manage_models') || (await seesAllTargets(context, field));
  const shown = seesAll ? stored : await visibleIds(context, field, stored);
  const hidden = stored.filter((id) => !shown.includes(id));
  if (hidden.length === 0) return { value: given, shown };
  if (!isMultiple(field)) return { value: isNothing(given) ? hidden[0] : given, shown };
  const entries: unknown[] = isNothing(given) ? [] : [given].flat();
  const isAsRead = entries.length === shown.length && entries.every((id, i) => id === shown[i]);
  return { value: isAsRead ? stored : [...new Set([...entries, ...hidden])], shown };
}

async function load(
  context: RequestContext,
  target: Target,
  id: number,
): Promise<object | undefined> {
  switch (target.kind) {
    case 'model':
      return context.loader(modelItemsById).load(id);
    case 'item': {
      const kind = target.name as Kind;
      const row = await context.loader(rowsById[kind]).load(id);
      return row && mayRead(context.viewer, row)
        ? new ITEM_CLASSES[kind](row, shownTo(context))
        : undefined;
    }
    case 'term':
      return context.loader(termsById).load(id);
    case 'media':
      return context.loader(mediaById).load(id);
    case 'account':
      return context.viewer.can('manage_accounts')
        ? context.loader(accountsById).load(id)
        : context.loader(authorsById).load(id);
    default:
      return undefined;
  }
}
