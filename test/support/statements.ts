// Records which statements run and where they are called, for test/statements, and for the choice of the
// files that the gate runs on PostgreSQL. On with STATEMENTS, the folder in which they are kept.
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Prisma } from '../../src/generated/prisma/client.js';
import type { Database } from '../../src/platform/database/database.js';
import type { Db } from '../../src/platform/database/transaction.js';

/** A statement that ran. */
export interface RanStatement {
  readonly text: string;
  /** Where it is called, as compiled: file, line and column, from 1. */
  readonly site: readonly [file: string, line: number, column: number];
  /** The columns that were null in some row. */
  readonly nulls: readonly string[];
}

/** Rows of a result that are searched for nulls. */
const SEARCHED = 100;

/** Files whose statements are recorded, and those that only pass statements on. */
const CALLERS = /\/dist-test\/(?:src|test\/statements)\//;
const BETWEEN = /\/src\/(?:core\/context\.js|platform\/database\/)|\/support\/statements\.js/;

/** What is sent for no rows: a block of code, and the ping of the database. */
const UNREAD = /^(?:DO\b|SELECT 1$)/;

/** Where the service called statements since `takeSites` was called. */
const called = new Set<string>();

/** Returns where the service called statements since the last call: files, lines and columns. */
export function takeSites(): string[] {
  const sites = [...called];
  called.clear();
  return sites;
}

/** Records what is sent by SQL from now on, where STATEMENTS says so. */
export function recordStatements(database: Database): void {
  const folder = process.env.STATEMENTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const recorder = new Recorder(join(folder, `${process.pid}.jsonl`));
  const query = database.query.bind(database);
  const transaction = database.transaction.bind(database);
  // Tests spy on these, so they stay writable.
  Object.assign(database, {
    query: (text: string, ...rest: [unknown[]?, object?]) =>
      recorder.record(text, query(text, ...rest)),
    db: recorder.recording(database.db),
    transaction: (work: (db: Db) => Promise<unknown>, options?: { timeout?: number }) =>
      transaction((db) => work(recorder.recording(db)), options),
  });
}

class Recorder {
  readonly #known = new Map<string, Set<string>>();

  constructor(private readonly file: string) {}

  /** Returns what records the statements that are sent by `db`. */
  recording(db: Db): Db {
    const queryRaw = (first: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
      const sql = first instanceof Prisma.Sql ? first : Prisma.sql(first, ...values);
      return this.record(sql.text, db.$queryRaw(sql));
    };
    return new Proxy(db, {
      get: (target, name) => {
        if (name === '$queryRaw') return queryRaw;
        if (name === '$executeRaw' || name === '$executeRawUnsafe') callSite();
        return Reflect.get(target, name);
      },
    });
  }

  /** Records a statement, and its nulls when it is answered. Call it where it is sent. */
  record(text: string, answered: Promise<unknown>): Promise<unknown> {
    const site = callSite();
    if (!site || UNREAD.test(text)) return answered;
    this.#write(text, site, []);
    return answered.then((rows) => {
      this.#write(text, site, nullsOf(rows as Record<string, unknown>[]));
      return rows;
    });
  }

  #write(text: string, site: RanStatement['site'], nulls: readonly string[]): void {
    const key = JSON.stringify([site, text]);
    const known = this.#known.get(key);
    if (known && nulls.every((column) => known.has(column))) return;
    const all = new Set([...(known ?? []), ...nulls]);
    this.#known.set(key, all);
    const statement: RanStatement = { text, site, nulls: [...all] };
    appendFileSync(this.file, `${JSON.stringify(statement)}\n`);
  }
}

const nullsOf = (rows: readonly Record<string, unknown>[]) => [
  ...new Set(rows.slice(0, SEARCHED).flatMap((row) => Object.keys(row).filter(isNull(row)))),
];

const isNull = (row: Record<string, unknown>) => (column: string) => row[column] === null;

/** Returns where the service calls what is being sent, and takes note of it. */
function callSite(): RanStatement['site'] | undefined {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_, sites) => sites;
  const sites = new Error().stack as unknown as NodeJS.CallSite[];
  Error.prepareStackTrace = prepareStackTrace;
  const site = sites.find((each) => !BETWEEN.test(each.getFileName() ?? BETWEEN.source));
  const file = site?.getFileName() ?? '';
  if (!site || !CALLERS.test(file)) return undefined;
  const place = [file, site.getLineNumber() ?? 0, site.getColumnNumber() ?? 0] as const;
  called.add(place.join(':'));
  return place;
}
