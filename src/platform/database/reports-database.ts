import type { Database, DatabaseOptions, DatabaseRow, QueryOptions } from './database.js';
import { ConnectionError, StartError } from './database-errors.js';
import { within } from './ping.js';
import { observeRefusal } from './pool-metrics.js';
import { openServer } from './postgresql.js';

/** Milliseconds in which it must be opened: it connects once, and reads the migrations. */
const OPENING = 5_000;
/** Milliseconds that a query waits until it is open. */
const PATIENCE = 2_500;
/** Milliseconds that a look at it may take. */
const LOOK = 900;
/** Milliseconds between two reports that it cannot be opened. */
const REPORT_EVERY = 60_000;

/** How to open the server that reports are read from. */
export interface ReportsOptions extends Omit<DatabaseOptions, 'url' | 'wait' | 'migrate'> {
  /** Its address (REPORTS_DATABASE_URL). */
  readonly url: string;
}

/**
 * The server that reports about all members are read from. Nothing else needs it, so the service starts without
 * it: it is opened in the background, and by the next query where it was down or lacked migrations. Until it is
 * open, queries reject with a ConnectionError, which the faces answer 503.
 */
export class ReportsDatabase {
  #opening: Promise<Database> | undefined;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: ReportsOptions) {
    this.#open().catch(() => {});
  }

  /** Reads as `Database.query` does. */
  async query<T extends object = DatabaseRow>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]> {
    const database = await within(PATIENCE, this.#open()).catch((error: unknown) => {
      throw new ConnectionError('The database for reports is not open.', { cause: error });
    });
    return database.query<T>(text, values, options);
  }

  /** Returns one sentence that says that it does not answer; undefined when it does. */
  async trouble(): Promise<string | undefined> {
    try {
      await within(
        LOOK,
        this.#open().then((database) => database.ping()),
      );
      return undefined;
    } catch {
      return 'The database for reports does not answer, or lacks migrations.';
    }
  }

  /** Releases its connections. */
  async close(): Promise<void> {
    const database = await this.#opening?.catch(() => undefined);
    await database?.close();
  }

  #open(): Promise<Database> {
    this.#opening ??= this.#openOnce().catch((error: unknown) => {
      this.#opening = undefined;
      observeRefusal('reports', 'server');
      this.#report(error as Error);
      throw new ConnectionError('The database for reports is not open.', { cause: error });
    });
    return this.#opening;
  }

  async #openOnce(): Promise<Database> {
    const opening = openServer({ ...this.options, server: 'reports', wait: 0, migrate: false });
    return within(OPENING, opening).catch((error: unknown) => {
      opening.then((late) => late.close()).catch(() => {});
      throw error;
    });
  }

  #report(error: Error): void {
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_EVERY) return;
    this.#reportedAt = now;
    const why = error instanceof StartError ? error.message : `it fails (${error.message}).`;
    this.options.log?.(`REPORTS_DATABASE_URL is not used, and reports answer 503: ${why}`);
  }
}
