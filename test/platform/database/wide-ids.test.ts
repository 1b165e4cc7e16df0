import { join } from 'node:path';
import pg from 'pg';
import type { Database } from '../../../src/platform/database/database.js';
import { migrateClient } from '../../../src/platform/database/migrate-server.js';
import { type Migration, readMigrations } from '../../../src/platform/database/migrations.js';
import { openDatabase } from '../../../src/platform/database/open.js';
import { openPGlite } from '../../../src/platform/database/pglite.js';
import { migratePGlite } from '../../../src/platform/database/pglite-adapter.js';
import { widenIds } from '../../../src/platform/database/widening.js';
import { onServer, withFolder } from '../../faults/databases.js';
import { startService } from '../../faults/service.js';

const all = readMigrations();
const before = all.findIndex(({ name }) => name.endsWith('_wide_ids'));
const names = (migrations: readonly Migration[]) => migrations.map(({ name }) => name);
/** The migrations, as the version has them that ends the widening. */
const released = all.map(({ name, script }) => ({
  name,
  script: script.replace(/^-- from: .*$/m, ''),
}));

const TABLES = ['dose', 'notification', 'delivery', 'idempotent_change'];
const ROWS = [
  `INSERT INTO account (username, username_key, name, slug, roles)
    VALUES ('m', 'm', 'M', 'm', ARRAY['subscriber'])`,
  `INSERT INTO device (account_id, kind, token, token_hash, created_at, last_seen_at)
    SELECT id, 'expo', 't', 't', now(), now() FROM account`,
  `INSERT INTO dose (account_id, answer, at, name, logged_by_id, logged_at)
    SELECT id, 'taken', now(), 'x', id, now() FROM account, generate_series(1, 3)`,
  `INSERT INTO notification (account_id, kind, title, body, message_id, alert_ids, state, created_at, send_at)
    SELECT id, 'message', 't', 'b', gen_random_uuid(), '{}', 'queued', now(), now() FROM account, generate_series(1, 2)`,
  `INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at)
    SELECT n.id, d.id, 'expo', 'planned', now(), now(), now() FROM notification n, device d
    ON CONFLICT DO NOTHING`,
  `INSERT INTO idempotent_change (account_id, key, ordinal, hash, row_id)
    SELECT id, 'k', 0, 'h', 7 FROM account`,
];
/** What the tables are, but for the order of their columns. */
const SHAPE = `SELECT table_name || '.' || column_name AS name, data_type || is_nullable AS what,
    column_default AS of FROM information_schema.columns WHERE table_name = ANY($1::text[])
  UNION ALL SELECT indexname, indexdef, NULL FROM pg_indexes WHERE tablename = ANY($1::text[])
  UNION ALL SELECT conname, pg_get_constraintdef(oid), convalidated::text FROM pg_constraint
    WHERE conrelid = ANY($1::regclass[])
  UNION ALL SELECT tgname, pg_get_triggerdef(oid), NULL FROM pg_trigger
    WHERE tgrelid = ANY($1::regclass[]) AND NOT tgisinternal
  UNION ALL SELECT proname, pg_get_function_identity_arguments(oid), NULL FROM pg_proc
    WHERE proname ~ '^(widen|report_deliveries)'
  ORDER BY 1, 2`;

/** How a database is opened, and brought up to date. */
interface Place {
  readonly open: (migrations?: readonly Migration[]) => Promise<Database>;
  readonly migrate: (migrations: readonly Migration[]) => Promise<unknown>;
}

async function within<T>(
  opening: Promise<Database>,
  body: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await opening;
  return body(database).finally(() => database.close());
}

/** Rows of before keep their numbers, and new ones may have larger ones. */
async function widened({ open, migrate }: Place, fresh: Place): Promise<void> {
  await within(open(all.slice(0, before)), async (database) => {
    for (const row of ROWS) await database.query(row);
  });
  await within(open(), async (database) => {
    const [{ count } = { count: 0 }] = await database.query<{ count: number }>(
      'SELECT count(*) FROM _prisma_migrations',
    );
    expect(count, 'a database in use waits for the version after').toBe(all.length - 2);
    await database.query('UPDATE dose SET note = $1 WHERE id = 2', ['edited before its copy']);
  });
  await expect(migrate(released)).rejects.toThrow(
    /are not all copied yet: run version 0\.2\.0 until/,
  );
  await within(open(), async (database) => {
    // One of three doses was edited. What may be repeated expires by itself.
    const proven = () =>
      database.query("SELECT FROM pg_constraint WHERE conname LIKE '%\\_wide' AND convalidated");
    expect(await widenIds(database, AbortSignal.abort())).toBe(2);
    expect(await proven()).toHaveLength(0);
    expect(await widenIds(database)).toBe(4);
    expect(await proven()).toHaveLength(3);
    for (const row of ROWS.slice(2, 5)) await database.query(row);
    await database.query('DELETE FROM idempotent_change');
    for (const row of ROWS.slice(5)) await database.query(row);
    expect(await widenIds(database)).toBe(0);
    expect(await proven()).toHaveLength(4);
  });
  await migrate(released);
  await within(open(), async (database) => {
    const shape = await database.query(SHAPE, [TABLES]);
    await within(fresh.open(), async (other) => {
      expect(shape).toStrictEqual(await other.query(SHAPE, [TABLES]));
    });
    for (const table of ['dose', 'notification'])
      await database.query(`ALTER SEQUENCE ${table}_id_seq RESTART 3000000000`);
    for (const row of ROWS.slice(2, 4)) await database.query(row);
    const ids = async (table: string) =>
      (await database.query<{ id: number }>(`SELECT id FROM ${table} ORDER BY 1`)).map(
        ({ id }) => id,
      );
    expect(await ids('dose')).toStrictEqual([...[1, 2, 3, 4, 5, 6], ...[3e9, 3e9 + 1, 3e9 + 2]]);
    expect(await ids('notification')).toStrictEqual([1, 2, 3, 4, 3e9, 3e9 + 1]);
    await database.query('DELETE FROM notification WHERE id = 1');
    expect(await ids('delivery')).not.toHaveLength(0);
    expect(await database.query('SELECT FROM delivery WHERE notification_id = 1')).toStrictEqual(
      [],
    );
    expect(await database.query('SELECT row_id AS id FROM idempotent_change')).toStrictEqual([
      { id: 7 },
    ]);
    expect(await widenIds(database)).toBe(0);
  });
}

test('numbers of 64 bits are copied by a job, and then take the place of those of 32 (PGlite)', () =>
  withFolder((folder) =>
    withFolder((other) => {
      const placeIn = (dataDir: string): Place => ({
        open: (migrations) =>
          openDatabase({
            dataDir,
            wait: 0,
            migrate: true,
            ...(migrations && { migrations: names(migrations) }),
          }),
        migrate: async (migrations) => {
          const database = await openPGlite({ dataDir: join(dataDir, 'database') });
          await migratePGlite(database, [...migrations]).finally(() => database.close());
        },
      });
      return widened(placeIn(folder), placeIn(other));
    }),
  ));

onServer(
  'numbers of 64 bits are copied by a job, and then take the place of those of 32 (PostgreSQL)',
  async (url, admin) => {
    const placeAt = (at: string): Place => ({
      open: (migrations) =>
        openDatabase({
          url: at,
          dataDir: '/nowhere',
          wait: 5,
          migrate: true,
          ...(migrations && { migrations: names(migrations) }),
        }),
      migrate: async (migrations) => {
        const client = new pg.Client(at);
        await client.connect();
        const options = { config: { connectionString: at } };
        await migrateClient(client, [...migrations], options).finally(() => client.end());
      },
    });
    const fresh = `${new URL(url).pathname.slice(1)}_fresh`;
    await admin.query(`CREATE DATABASE ${fresh}`);
    try {
      await widened(
        placeAt(url),
        placeAt(Object.assign(new URL(url), { pathname: `/${fresh}` }).href),
      );
    } finally {
      await admin.query(`DROP DATABASE ${fresh} WITH (FORCE)`);
    }
  },
);

const SECRET_KEY = 's'.repeat(40);
const PASSWORD = 'correct horse battery staple';

onServer('numbers of 64 bits take their place while a service reads and writes', async (url) => {
  const options = { url, dataDir: '/nowhere', wait: 5, migrate: true };
  const narrow = names(all.filter(({ script }) => !/^-- from: /m.test(script)));
  await within(openDatabase({ ...options, migrations: narrow }), async () => {});
  const environment = {
    DATABASE_URL: url,
    SECRET_KEY,
    ADMIN_PASSWORD: PASSWORD,
    RATE_LIMITS: 'off',
  };
  const service = await startService({ environment });
  const send = async (path: string, body: object, token?: string) => {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const login = await send('/api/v1/login', { username: 'admin', password: PASSWORD });
  const ask = async (query: string, variables: object = {}) => {
    const { data, errors } = await send(
      '/graphql',
      { query, variables },
      login.accessToken ?? login.token,
    );
    expect(errors, query).toBeUndefined();
    return data;
  };
  const { reminder } = (
    await ask(`mutation { createMedicineReminder(input: { name: "A", frequency: "as_needed", startsOn: "2026-03-01" }) {
      reminder { id } } }`)
  ).createMedicineReminder;
  const turn = async () => {
    const { logDose } = await ask(
      'mutation($id: ID!) { logDose(input: { reminderId: $id }) { event { occurrenceId } } }',
      { id: reminder.id },
    );
    await ask(
      'mutation($id: ID!) { undoDose(input: { occurrenceId: $id }) { event { status } } }',
      {
        id: logDose.event.occurrenceId,
      },
    );
    const { sendNotification } = await ask(
      'mutation { sendNotification(input: { title: "t" }) { notificationIds } }',
    );
    const ids = sendNotification.notificationIds;
    await ask(
      'mutation($ids: [ID!]) { markNotificationsRead(input: { ids: $ids }) { unreadCount } }',
      { ids },
    );
    await ask('{ notifications(first: 5) { nodes { databaseId title } } }');
    await ask(
      'mutation($ids: [ID!]!) { deleteNotifications(input: { ids: $ids }) { deletedNotificationIds } }',
      { ids },
    );
  };
  // So often that statements are prepared.
  for (let i = 0; i < 4; i++) await turn();
  await within(openDatabase({ ...options, migrations: narrow }), widenIds);
  let isOver = false;
  const client = new pg.Client(url);
  await client.connect();
  const migrating = migrateClient(client, released, { config: { connectionString: url } })
    .finally(() => client.end())
    .finally(() => {
      isOver = true;
    });
  const turning = (async () => {
    while (!isOver) await turn();
  })();
  await Promise.allSettled([migrating, turning]);
  await Promise.all([migrating, turning]);
  for (let i = 0; i < 4; i++) await turn();
  service.child.signal('SIGTERM');
  expect(await service.child.ended, service.child.output.errors).toBe(0);
});
