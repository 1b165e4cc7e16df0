import { createHash } from 'node:crypto';
import type { Deps } from '../../core/deps.js';
import { serviceContext } from '../../core/service-context.js';
import type { ModelDocument } from '../../domains/models/definition/model.document.js';
import { ACCOUNTS } from './accounts.js';
import { AUTHORS } from './authors.service.js';
import { advanceSequences, followZone, makeNobody } from './completion.service.js';
import { filesIn } from './files.service.js';
import { adoptFormer, settleGone } from './gone.service.js';
import { itemsOf } from './items.js';
import type { Import, ImportedKind, OwnRow } from './kind.js';
import { importKind, type Manner, type MovingProgress } from './kind-import.service.js';
import { mappedKinds } from './mapping/mapped-kind.js';
import type { MappedQuery } from './mapping/mapping.js';
import { MEDIA } from './media.js';
import { type ImportedModel, itemKinds } from './model-items.js';
import { MODELS } from './models.js';
import { mysqlContent } from './mysql-content.js';
import { MysqlSource } from './mysql-source.js';
import { Report } from './report.js';
import { REVISIONS } from './revisions.js';
import { readSite, siteKind } from './site.js';
import { TERMS } from './terms.js';
import { refuseCut } from './whole-source.js';
import { WxrSource } from './wxr/wxr-source.js';

/** In the order in which they refer to each other. */
const CONTENT: readonly ImportedKind[] = [
  TERMS,
  itemsOf('page'),
  itemsOf('post'),
  itemsOf('healthcare'),
  MEDIA,
  REVISIONS,
];

const MOVED =
  'its address has changed since the import before: what is gone there is looked at from the next import on';

/** How an import is done. */
export interface ImportOptions {
  /** Reads everything and writes nothing. */
  readonly check: boolean;
  /** Overwrites rows that people have changed here since they were imported. */
  readonly overwrite: boolean;
  /** When the source was stopped: what it has rung until then does not ring here. Now unless given. */
  readonly since?: Date | undefined;
  /** Where rows of the tables of applications stand; none unless given. */
  readonly mapping?: readonly MappedQuery[];
  /** The zone of the site, in place of the one that its source has. */
  readonly zone?: string | undefined;
  /** A folder with the files of attachments; they stay where they are unless given. */
  readonly uploads?: string | undefined;
  readonly progress: MovingProgress;
  /** Gets what becomes of the rows, also where the import ends halfway. */
  readonly report?: Report;
}

/**
 * Takes over accounts and content of the original, and what a mapping names. A run that is ended goes
 * on where it was; a second one writes only what has changed in the original. Returns what became of
 * every row. Throws StartError for a query of the mapping that fails, before anything is written, and
 * when the source goes away.
 */
export async function importFrom(
  source: MysqlSource | WxrSource,
  deps: Deps,
  {
    check,
    overwrite,
    since,
    mapping = [],
    uploads,
    zone,
    progress,
    report = new Report(),
  }: ImportOptions,
): Promise<Report> {
  const { database } = deps;
  const context = await serviceContext(deps, 'import');
  const original = source instanceof MysqlSource ? source : undefined;
  const content = source instanceof MysqlSource ? mysqlContent(source) : source;
  if (original) await refuseCut(original);
  // As it is now: another import may have set it a moment ago.
  const own = await database.db.site.findUniqueOrThrow({
    where: { id: 1 },
    select: { timeZone: true },
  });
  const site = await readSite(content, own, zone);
  for (const [option, reason] of site.differences)
    report.remark({ kind: 'site', at: `options ${option}`, outcome: 'unchanged', reason });
  const run: Import = {
    ...{ source: original, content, site, report, overwrite, check, context },
    ...{ origin: original && originOf(site.home), since },
    formerOrigins: new Set(),
    circles: new Set(),
    circularTerms: new Set(),
    vocabularies: new Map(),
    ...{ items: new Set<number>(), slugs: new Map<string, number>() },
    numbered: new Map(),
    accounts: new Set(),
    deleted: new Set(),
    numbers: new Map(),
    counts: new Map(),
    forms: [],
    optionPolls: new Map(),
    ...{ multiple: new Set<string>(), answered: new Map<string, string>() },
  };
  if (source instanceof WxrSource) reportLeft(source, report);
  const mapped = original ? await mappedKinds(original, mapping) : [];
  const files = uploads ? [await filesIn(uploads)] : [];
  if (!check) await database.transaction(makeNobody);
  const how = { database, check, progress };
  const seen: Seen = new Map();
  const take = async (kind: ImportedKind) => noteSeen(seen, kind, await importKind(run, kind, how));
  await take(original ? ACCOUNTS : AUTHORS);
  if (run.formerOrigins?.size)
    report.remark({ kind: 'site', at: 'options home', outcome: 'unchanged', reason: MOVED });
  for (const kind of [...CONTENT, ...files]) await take(kind);
  const models = original ? await importModels(run, how, take) : [];
  const names = models.map(({ document }) => document.name);
  for (const rows of await content.others(names, names))
    report.leaveAll({ ...rows, outcome: 'skipped' });
  for (const kind of mapped) await take(kind);
  await take(siteKind(site));
  if (run.origin)
    for (const { kind, numbers } of seen.values()) {
      await settleGone(run, kind, numbers);
      if (!check) await adoptFormer(run, kind);
    }
  if (!check)
    await database.transaction(async (db) => {
      await followZone(db, context.now());
      await advanceSequences(db);
    });
  return report;
}

/** What was read, by the marks of kinds: several queries may be of one. */
type Seen = Map<string, { readonly kind: ImportedKind; readonly numbers: number[] }>;

function noteSeen(seen: Seen, kind: ImportedKind, numbers: readonly number[]): void {
  if (kind.write) return;
  const name = kind.isMapped ? `${kind.name} ${kind.from}` : kind.name;
  const known = seen.get(name) ?? { kind, numbers: [] };
  for (const number of numbers) known.numbers.push(number);
  seen.set(name, known);
}

/** Returns the mark of a source: that of a copy is the same. */
const originOf = (home: string): string =>
  `@${createHash('sha256').update(home).digest('base64url').slice(0, 8)}`;

/** Reports what of an export was not taken when it was read. */
function reportLeft({ left }: WxrSource, report: Report): void {
  for (const one of left) {
    report.tally(one.kind).read++;
    report.leave(one);
  }
}

async function importModels(
  run: Import,
  how: Manner,
  take: (kind: ImportedKind) => Promise<void>,
): Promise<readonly ImportedModel[]> {
  const models: ImportedModel[] = [];
  const note = ({ deleted }: Import, { id, document }: OwnRow) => {
    if (!deleted.has(`${MODELS.table} ${id}`))
      models.push({ id, document: document as ModelDocument });
  };
  await take({ ...MODELS, took: note });
  for (const kind of await itemKinds(run, models, how)) await take(kind);
  return models;
}
