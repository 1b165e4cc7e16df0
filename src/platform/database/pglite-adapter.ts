import type { PGlite, Transaction as PGliteTransaction } from '@electric-sql/pglite';
import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { DatabaseRow } from './database.js';
import { applyMigrations, type Migration, pendingMigrations } from './migrations.js';

/**
 * Internals of pglite-prisma-adapter 0.7.2 that it does not publish. package.json pins that
 * version. Check this against the source of a newer version before an upgrade.
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

/** What a migration needs of PGlite: the database itself, or a transaction that is open on it. */
export type PGliteSession = Pick<PGlite, 'query' | 'exec'>;

/**
 * Prisma's driver adapter for PGlite. Unlike the published adapter, it reports the result of
 * COMMIT, commits no transaction in which a statement failed, sets the isolation level inside the
 * transaction, and waits for scripts. The published one reports success when a deferred constraint
 * is violated at COMMIT, although the rows are lost.
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
    try {
      // Fails if a statement failed before. COMMIT would roll back then and report success.
      await tx.client.exec('SELECT 1');
    } catch (error) {
      await tx.rollback();
      adapter.onError(error);
    }
    tx.txDeferred.resolve();
    await ended.catch((error: unknown) => adapter.onError(error));
  };
  tx.rollback = async () => {
    await tx.client.rollback().catch(() => {}); // already ended: nothing is left to undo
    tx.txDeferred.resolve();
    await ended.catch(() => {});
  };
  if (isolation) {
    await tx.client
      .exec(`SET TRANSACTION ISOLATION LEVEL ${isolation}`)
      .catch(async (error: unknown) => {
        // nobody else can end this transaction, and it blocks the whole database
        await tx.rollback();
        adapter.onError(error);
      });
  }
  return tx;
}

/** Applies pending migrations, all or none. Returns their names. */
export async function migratePGlite(pg: PGlite, migrations: Migration[]): Promise<string[]> {
  const query = (session: PGliteSession) => async (text: string) =>
    (await session.query<DatabaseRow>(text)).rows;
  if ((await pendingMigrations(query(pg), migrations)).length === 0) return [];
  return pg.transaction((tx) =>
    applyMigrations({ query: query(tx), factory: new PGliteAdapterFactory(tx) }, migrations),
  );
}
