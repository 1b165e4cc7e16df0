import type { ModelDocument } from '../../domains/models/definition/model.document.js';
import { isPublicModel } from '../../domains/models/definition/model.document.js';
import type { Import, Left } from './kind.js';
import { databaseOf, text } from './kind.js';
import type { MysqlSource, SourceRow } from './mysql-source.js';
import { utcOf, zonedOf } from './source-time.js';

/** An item of a model as the original has it. */
export interface SourceItem {
  /** Returns the values of a field by its name, as texts; none when it has none. */
  texts(name: string): readonly string[];
  /** Returns the numbers of the rows that a field is related to, by the number of the field. */
  related(fieldId: number): readonly string[];
  readonly authorId: number | null;
  /** The column of its author in the original where that account was deleted here, for `countedAs`. */
  readonly authorThere: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly remarks: readonly string[];
}

interface SourceModel {
  readonly id: number;
  readonly document: ModelDocument;
}

const tableOf = ({ name }: ModelDocument) => `pods_${name}`;
const POSTS: ReadonlySet<string> = new Set(['post_type', 'cpt']);
const TERMS: ReadonlySet<string> = new Set(['taxonomy', 'ct']);
/** What the site's one item of a model of settings is called. */
const SETTINGS = 0;

/** Whether a model extends what the platform has, such as posts or accounts: it has no items of its own. */
export const isExtending = ({ name, type, options }: ModelDocument): boolean =>
  ['user', 'media', 'comment'].includes(type) ||
  options.some(([option, value]) => option === 'object' && value === name);

/** Returns the numbers of the items of a model; none for models that extend what the platform has. */
export async function sourceIds(source: MysqlSource, document: ModelDocument): Promise<number[]> {
  const { name, type } = document;
  const numbers = (rows: readonly SourceRow[]) => rows.map(({ id }) => Number(id));
  if (isExtending(document)) return [];
  if (POSTS.has(type))
    return numbers(
      await source.rows('SELECT ID AS id FROM {posts} WHERE post_type = ? ORDER BY ID', [name]),
    );
  if (TERMS.has(type))
    return numbers(
      await source.rows(
        'SELECT term_id AS id FROM {term_taxonomy} WHERE taxonomy = ? ORDER BY term_id',
        [name],
      ),
    );
  if (type === 'settings') return [SETTINGS];
  if (!['pod', 'table'].includes(type) || !(await source.has(tableOf(document)))) return [];
  return numbers(await source.rows(`SELECT id FROM {${tableOf(document)}} ORDER BY id`));
}

const UNPUBLISHED = {
  outcome: 'skipped',
  reason: 'it is not published, and items of a public model have no status here',
} as const;

/**
 * Reads items of a model by their numbers. Those that are in the trash are absent; of a public model those that
 * are not published are left out.
 */
export async function readItems(
  run: Import,
  model: SourceModel,
  ids: readonly number[],
): Promise<ReadonlyMap<number, SourceItem | Left>> {
  const { document } = model;
  const bases = await basesOf(run, document, ids);
  const source = databaseOf(run);
  const values = await valuesOf(source, document, ids);
  const relations = await relationsOf(source, model, ids);
  const items = new Map<number, SourceItem | Left>();
  for (const [id, base] of bases) {
    if (POSTS.has(document.type) && isPublicModel(document) && base.status !== 'publish') {
      items.set(id, UNPUBLISHED);
      continue;
    }
    const { timeZone } = run.site;
    const author = Number(base.author);
    const created =
      utcOf(base.created_gmt) ?? zonedOf(base.created, timeZone) ?? new Date(0).toISOString();
    items.set(id, {
      texts: (name) => values.get(`${id} ${name}`) ?? [],
      related: (fieldId) => relations.get(`${id} ${fieldId}`) ?? [],
      authorId: run.accounts.has(author) ? author : null,
      authorThere: run.deleted.has(`account ${author}`) ? { author_id: author } : {},
      createdAt: created,
      updatedAt: utcOf(base.modified_gmt) ?? zonedOf(base.modified, timeZone) ?? created,
      remarks: base.remark ? [text(base.remark)] : [],
    });
  }
  return items;
}

/** Returns dates and authors of items, and which there are. */
async function basesOf(
  run: Import,
  document: ModelDocument,
  ids: readonly number[],
): Promise<Map<number, SourceRow>> {
  const source = databaseOf(run);
  const { name, type } = document;
  if (POSTS.has(type)) {
    const rows = await source.rows(
      `SELECT ID AS id, post_author AS author, post_date AS created, post_date_gmt AS created_gmt,
        post_modified AS modified, post_modified_gmt AS modified_gmt, post_status AS status,
        IF(CONCAT(post_title, post_content, post_excerpt) = '', NULL,
          'its title and text have no field here: they are left out') AS remark
      FROM {posts} WHERE ID IN (?) AND post_type = ? AND post_status NOT IN ('trash', 'auto-draft')`,
      [ids, name],
    );
    return byId(rows);
  }
  if (TERMS.has(type)) {
    const remark = 'its name and description have no field here: they are left out';
    return new Map(ids.map((id) => [id, { remark }]));
  }
  if (type === 'settings') return new Map(ids.map((id) => [id, {}]));
  const rows = await source.rows(`SELECT * FROM {${tableOf(document)}} WHERE id IN (?)`, [ids]);
  return byId(
    rows.map(
      ({ id, created, modified, author }) => ({ id, created, modified, author }) as SourceRow,
    ),
  );
}

const byId = (rows: readonly SourceRow[]) => new Map(rows.map((row) => [Number(row.id), row]));

/** Returns the texts of items by `number name`. */
async function valuesOf(
  source: MysqlSource,
  document: ModelDocument,
  ids: readonly number[],
): Promise<Map<string, string[]>> {
  const values = new Map<string, string[]>();
  const add = (id: unknown, name: unknown, value: unknown) => {
    const key = `${id} ${name}`;
    if (value !== null && value !== undefined)
      values.set(key, [...(values.get(key) ?? []), String(value)]);
  };
  const names = document.fields.map(({ name }) => name);
  if (names.length === 0) return values;
  const { type, storage } = document;
  if (type === 'settings') {
    const rows = await source.rows(
      'SELECT option_name AS name, option_value AS value FROM {options} WHERE option_name IN (?)',
      [names.map((name) => `${document.name}_${name}`)],
    );
    for (const { name, value } of rows)
      add(SETTINGS, text(name).slice(document.name.length + 1), value);
  } else if (storage === 'table' || ['pod', 'table'].includes(type)) {
    if (!(await source.has(tableOf(document)))) return values;
    const rows = await source.rows(`SELECT * FROM {${tableOf(document)}} WHERE id IN (?)`, [ids]);
    for (const row of rows) for (const name of names) add(row.id, name, row[name]);
  } else {
    const [table, key] = TERMS.has(type) ? ['termmeta', 'term_id'] : ['postmeta', 'post_id'];
    const rows = await source.rows(
      `SELECT ${key} AS id, meta_key AS name, meta_value AS value FROM {${table}}
      WHERE ${key} IN (?) AND meta_key IN (?) ORDER BY meta_id`,
      [ids, names],
    );
    for (const { id, name, value } of rows) add(id, name, value);
  }
  return values;
}

/** Returns the numbers of the rows that items are related to by `number field`. */
async function relationsOf(
  source: MysqlSource,
  { id }: SourceModel,
  ids: readonly number[],
): Promise<Map<string, string[]>> {
  const relations = new Map<string, string[]>();
  if (!(await source.has('podsrel'))) return relations;
  const rows = await source.rows(
    `SELECT item_id AS id, field_id AS field, related_item_id AS related FROM {podsrel}
    WHERE pod_id = ? AND item_id IN (?) ORDER BY weight, id`,
    [id, ids],
  );
  for (const row of rows) {
    const key = `${row.id} ${row.field}`;
    relations.set(key, [...(relations.get(key) ?? []), text(row.related)]);
  }
  return relations;
}
