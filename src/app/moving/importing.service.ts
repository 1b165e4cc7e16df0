import type { ModelDocument } from '../../domains/models/definition/model.document.js';
import type { Database } from '../../platform/database/database.js';
import { trimmedEnd } from '../../platform/trim.js';
import { isZone } from '../../platform/zone.js';
import { ACCOUNTS } from './accounts.js';
import { advanceSequences, makeNobody, writeSite } from './completion.service.js';
import { itemsOf } from './items.js';
import type { Import, ImportedKind, Mapped, SourceSite } from './kind.js';
import { text } from './kind.js';
import { MEDIA } from './media.js';
import { type ImportedModel, itemKinds } from './model-items.js';
import { MODELS } from './models.js';
import type { MysqlSource } from './mysql-source.js';
import { unserialize } from './php.js';
import { type Outcome, Report } from './report.js';
import { REVISIONS } from './revisions.js';
import { TERMS } from './terms.js';
import { decide, write } from './writing.service.js';

/** In the order in which they refer to each other. */
const KINDS: readonly ImportedKind[] = [
  ACCOUNTS,
  TERMS,
  itemsOf('page'),
  itemsOf('post'),
  itemsOf('healthcare'),
  MEDIA,
  REVISIONS,
];

/** Rows that are read and written at a time, and bytes of their texts; a longer row is alone. */
const AT_ONCE = 200;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** The largest number that an id has here. */
const LARGEST = 2 ** 31 - 1;

/** How an import is done. */
export interface ImportOptions {
  /** Reads everything and writes nothing. */
  readonly check: boolean;
  /** Overwrites rows that people have changed here since they were imported. */
  readonly overwrite: boolean;
  /** Is told of each step: so many rows of a kind are done. */
  readonly progress: (kind: string, done: number, all: number) => void;
}

/**
 * Takes over accounts and content of the original. A run that is ended goes on where it was; a second
 * one writes only what has changed in the original. Returns what became of every row.
 */
export async function importFrom(
  source: MysqlSource,
  database: Database,
  { check, overwrite, progress }: ImportOptions,
): Promise<Report> {
  const report = new Report();
  const site = await readSite(source, report);
  const run: Import = {
    source,
    site,
    report,
    overwrite,
    circles: new Set(),
    vocabularies: new Map(),
  };
  if (!check) await database.transaction(makeNobody);
  const how = { database, check, progress };
  for (const kind of KINDS) await importKind(run, kind, how);
  const models: ImportedModel[] = [];
  await importKind(run, { ...MODELS, map: noting(models) }, how);
  for (const kind of await itemKinds(run, models, how)) await importKind(run, kind, how);
  if (!check)
    await database.transaction(async (db) => {
      await writeSite(db, site);
      await advanceSequences(db);
    });
  return report;
}

/** Returns how models are mapped, and keeps them for their items. */
const noting =
  (models: ImportedModel[]): ImportedKind['map'] =>
  async (run, rows) => {
    const mapped = await MODELS.map(run, rows);
    for (const one of mapped)
      if ('own' in one)
        models.push({ id: one.own.id, document: one.own.document as ModelDocument });
    return mapped;
  };

async function importKind(
  run: Import,
  kind: ImportedKind,
  {
    database,
    check,
    progress,
  }: { database: Database; check: boolean; progress: ImportOptions['progress'] },
): Promise<void> {
  const { report } = run;
  const ids = await kind.ids(run);
  report.tally(kind.name).read += ids.length;
  const tooLarge = ids.filter((id) => id > LARGEST);
  for (const id of tooLarge)
    report.leave({
      kind: kind.name,
      at: `${kind.from} ${id}`,
      outcome: 'refused',
      reason: 'its number is larger than 2,147,483,647',
    });
  const fitting = ids.filter((id) => id <= LARGEST);
  let done = 0;
  for await (const part of batchesOf(run, kind, fitting)) {
    const rows = await kind.read(run, part);
    const mapped = await kind.map(run, rows);
    const good = mapped.flatMap((one, i) => {
      if ('own' in one) return [storable(one)];
      const row = rows[i] ?? {};
      report.leave({
        kind: kind.name,
        at: `${kind.from} ${kind.placeOf?.(Number(row.id)) ?? row.ID ?? row.id}`,
        ...one,
      });
      return [];
    });
    const outcomes = check
      ? await decide(database.db, kind, good, run)
      : await write(database, kind, good, run);
    for (const [i, outcome] of outcomes.entries()) note(run, kind, good[i] as Mapped, outcome);
    done += part.length;
    progress(kind.name, done, fitting.length);
  }
}

/** Yields the ids of rows that are read together. Only `posts` has long texts. */
async function* batchesOf(
  { source }: Import,
  { from }: ImportedKind,
  ids: readonly number[],
): AsyncGenerator<readonly number[]> {
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const part = ids.slice(at, at + AT_ONCE);
    const rows =
      from === 'posts'
        ? await source.rows(
            'SELECT ID AS id, LENGTH(post_title) + LENGTH(post_content) + LENGTH(post_excerpt) AS bytes FROM {posts} WHERE ID IN (?)',
            [part],
          )
        : [];
    const bytes = new Map(rows.map((row) => [Number(row.id), Number(row.bytes)]));
    let batch: number[] = [];
    let sum = 0;
    for (const id of part) {
      sum += bytes.get(id) ?? 0;
      if (batch.length > 0 && sum > BYTES_AT_ONCE) {
        yield batch;
        batch = [];
        sum = bytes.get(id) ?? 0;
      }
      batch.push(id);
    }
    yield batch;
  }
}

function note(
  { report }: Import,
  kind: ImportedKind,
  { own, remarks }: Mapped,
  { outcome, reason }: { readonly outcome: Outcome; readonly reason?: string },
): void {
  const at = `${kind.from} ${kind.placeOf?.(own.id) ?? own.id}`;
  report.count(kind.name, outcome);
  if (reason) report.remark({ kind: kind.name, at, outcome, reason });
  if (outcome === 'imported' || outcome === 'changed')
    for (const said of remarks ?? []) report.remark({ kind: kind.name, at, outcome, reason: said });
}

/** Returns a row without what PostgreSQL cannot store: NUL and halves of characters. */
const storable = (mapped: Mapped): Mapped => ({ ...mapped, own: cleaned(mapped.own) });

function cleaned<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T;
  if (Array.isArray(value)) return value.map(cleaned) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned(one)])) as T;
}

type Settings = SourceSite & { readonly title: string; readonly tagline: string };

async function readSite(source: MysqlSource, report: Report): Promise<Settings> {
  const rows = await source.rows(
    'SELECT option_name AS name, option_value AS value FROM {options} WHERE option_name IN (?)',
    [
      [
        'home',
        'blogname',
        'blogdescription',
        'timezone_string',
        'gmt_offset',
        'default_category',
        'sticky_posts',
        'show_on_front',
      ],
    ],
  );
  const options = new Map(rows.map(({ name, value }) => [text(name), text(value)]));
  const remark = (reason: string) =>
    report.remark({ kind: 'site', at: 'options', outcome: 'changed', reason });
  const zone = options.get('timezone_string') || offsetZone(Number(options.get('gmt_offset') ?? 0));
  if (!isZone(zone)) remark('its time zone is unknown here: UTC is taken');
  if (options.get('show_on_front') === 'page')
    remark('its front page is a page: here it lists posts');
  const sticky = unserialize(options.get('sticky_posts') ?? '');
  return {
    home: trimmedEnd(options.get('home') ?? '', '/'),
    title: options.get('blogname') ?? '',
    tagline: options.get('blogdescription') ?? '',
    timeZone: isZone(zone) ? zone : 'UTC',
    defaultCategoryId: Number(options.get('default_category') ?? 1),
    sticky: new Set(sticky instanceof Map ? [...sticky.values()].map(Number) : []),
  };
}

/** Returns the zone of whole hours ahead of UTC; others have no IANA name. */
function offsetZone(hours: number): string {
  if (hours === 0) return 'UTC';
  return Number.isInteger(hours) ? `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}` : '';
}
