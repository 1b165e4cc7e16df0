import type { PGlite, Transaction as PGliteTransaction } from '@electric-sql/pglite';
import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { Row } from './database.js';
import { applyMigrations, type Migration, pendingMigrations } from './migrate.js';

/**
 * What pglite-prisma-adapter 0.7.2 has and does not publish. package.json pins that version; a
 * newer one needs this re-read.
 */
interface Internals extends SqlDriverAdapter {
  onError(error: unknown): never;
  startTransactionInner(
    connection: { transaction(body: (tx: PGliteTransaction) => Promise<void>): Promise<void> },
    options: { usePhantomQuery: boolean },
  ): Promise<TransactionInternals>;
}

interface TransactionInternals extends Transaction {
  client: PGliteTransaction;
  txDeferred: { resolve(): void };
}

/**
 * The part of PGlite that a migration needs: the database itself, or a transaction that is open on
 * it.
 */
export type PGliteSession = Pick<PGlite, 'query' | 'exec'>;

/**
 * Prisma's driver adapter for PGlite. Unlike the published one it reports what COMMIT says, sets
 * the isolation level inside the transaction and waits for scripts: there a violated deferred
 * constraint counts as success, and the rows are gone.
 */
export class PGliteAdapterFactory implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider = 'postgres';
  readonly adapterName = 'care-pglite';
  readonly #inner: PrismaPGlite;

  constructor(private readonly session: PGliteSession) {
    this.#inner = new PrismaPGlite(session as PGlite);
  }

  connectToShadowDb(): Promise<SqlDriverAdapter> {
    return this.#inner.connectToShadowDb();
  }

  async connect(): Promise<SqlDriverAdapter> {
    const adapter = (await this.#inner.connect()) as Internals;
    adapter.executeScript = async (script) => {
      await this.session.exec(script).catch((error: unknown) => adapter.onError(error));
    };
    adapter.startTransaction = (isolation) =>
      startTransaction(adapter, this.session as PGlite, isolation);
    return adapter;
  }
}

async function startTransaction(
  adapter: Internals,
  pg: PGlite,
  isolation?: IsolationLevel,
): Promise<Transaction> {
  let ended: Promise<void> = Promise.resolve();
  const connection = {
    transaction: (body: (tx: PGliteTransaction) => Promise<void>) => (ended = pg.transaction(body)),
  };
  const tx = await adapter.startTransactionInner(connection, { usePhantomQuery: true });
  tx.commit = async () => {
    tx.txDeferred.resolve();
    await ended.catch((error: unknown) => adapter.onError(error));
  };
  tx.rollback = async () => {
    await tx.client.rollback().catch(() => {}); // already over: nothing is left to undo
    tx.txDeferred.resolve();
    await ended.catch(() => {});
  };
  if (isolation) {
    await tx.client
      .exec(`SET TRANSACTION ISOLATION LEVEL ${isolation}`)
      .catch(async (error: unknown) => {
        await tx.rollback(); // nobody else holds this transaction, and it holds the database
        adapter.onError(error);
      });
  }
  return tx;
}

/** Applies pending migrations, all or none, and answers their names. */
export async function migratePGlite(pg: PGlite, migrations: Migration[]): Promise<string[]> {
  const query = (session: PGliteSession) => async (text: string) =>
    (await session.query<Row>(text)).rows;
  if ((await pendingMigrations(query(pg), migrations)).length === 0) return [];
  return pg.transaction((tx) =>
    applyMigrations({ query: query(tx), factory: new PGliteAdapterFactory(tx) }, migrations),
  );
}
