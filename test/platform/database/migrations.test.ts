import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { keyOf } from '../../../src/domains/models/item/item-key.sql.js';
import { type Database, isUniqueViolation } from '../../../src/platform/database/database.js';
import { diffFrom, readUnmanaged, schemaDiff } from '../../../src/platform/database/diff.js';
import { migrateClient, migrationLock } from '../../../src/platform/database/migrate-server.js';
import {
  type Migration,
  ownVersion,
  readMigrations,
} from '../../../src/platform/database/migrations.js';
import { openDatabase } from '../../../src/platform/database/open.js';
import { openPGlite } from '../../../src/platform/database/pglite.js';
import { migratePGlite } from '../../../src/platform/database/pglite-adapter.js';
import { template } from '../../../src/platform/database/template.js';
import { projectRoot } from '../../../src/platform/root.js';
import { onBoth, onFolder, onServer, openServer, startError } from '../../faults/databases.js';
import { run, start } from '../../faults/processes.js';

const TOOL = [process.execPath, join(projectRoot, 'dist-service/tools.js'), 'migrate'];

const count = async (database: Database, table: string) =>
  (await database.query<{ count: number }>(`SELECT count(*) AS count FROM ${table}`))[0]?.count;

async function withPGlite(body: (database: PGlite) => Promise<void>): Promise<void> {
  const database = await openPGlite({ loadDataDir: await template() });
  await body(database).finally(() => database.close());
}

onServer(
  'five processes that start at once on an empty server all end well, and migrate it once',
  async (url) => {
    const children = Array.from({ length: 5 }, () =>
      start('open.js', { DATABASE_URL: url, ONCE: '1' }),
    );
    for (const child of children) expect(await child.ended, child.output.errors).toBe(0);
    const database = await openServer(url);
    expect(await count(database, '_prisma_migrations')).toBe(readMigrations().length);
    expect(await count(database, 'language')).toBe(7);
    await database.close();
    const applying = children.filter((child) =>
      child.output.text.includes('Applied the migration'),
    );
    expect(applying).toHaveLength(1);
  },
);

onServer(
  'a process that finds another one migrating waits for it, and says so once',
  async (url) => {
    const other = new pg.Client(url);
    await other.connect();
    await other.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const opening = openDatabase({ url, dataDir: '/nowhere', wait: 5, migrate: true, log });
    const first = await Promise.race([opening.then(() => 'opened'), sleep(700, 'waiting')]);
    await other.end();
    await (await opening).close();
    expect(first).toBe('waiting');
    const waits = lines.filter((line) => /^Another process applies migrations; wait/.test(line));
    expect(waits).toHaveLength(1);
  },
);

onServer('SIGTERM ends migrations that wait for their turn, with one sentence', async (url) => {
  const other = new pg.Client(url);
  await other.connect();
  await other.query('SELECT pg_advisory_lock($1)', [migrationLock]);
  const child = run('migrate', TOOL, { env: { PATH: process.env.PATH, DATABASE_URL: url } });
  await child.says('waiting for it');
  child.signal('SIGTERM');
  expect(await child.ended).toBe(2);
  expect(child.output.errors).toBe(
    'Stopped by SIGTERM: the migrations that are left were not applied; the next run goes on there.\n',
  );
  await other.end();
});

onServer('a migration that is stopped is cancelled, and the next run goes on there', (url) =>
  withClients(url, 2, async (...clients) => {
    const [migrator, other] = clients as [pg.Client, pg.Client];
    const first = { name: '29990103000000_first', script: 'CREATE TABLE noted (a int);' };
    const slow = (seconds: number) => ({
      name: '29990104000000_slow',
      script: `CREATE TABLE slow (a int); SELECT pg_sleep(${seconds});`,
    });
    await migrateClient(migrator, readMigrations(), options(url));
    const stop = new AbortController();
    const stopped = { ...options(url), stopping: stop.signal };
    const all = (seconds: number) => [...readMigrations(), first, slow(seconds)];
    const migrating = migrateClient(migrator, all(600), stopped);
    const sleeps = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    while (!(await other.query(sleeps)).rowCount) await sleep(20);
    stop.abort(new Error('Stopped.'));
    await expect(migrating).rejects.toThrow('Stopped.');
    expect((await other.query(sleeps)).rowCount).toBe(0);
    const { rows } = await other.query(`SELECT to_regclass('noted') IS NOT NULL AS noted,
      to_regclass('slow') IS NOT NULL AS slow`);
    expect(rows).toStrictEqual([{ noted: true, slow: false }]);
    expect(await migrateClient(migrator, all(0), options(url))).toStrictEqual([slow(0).name]);
  }),
);

onServer(
  'a server that lacks migrations is refused unless they may be applied, naming the command',
  async (url) => {
    const opening = openDatabase({ url, dataDir: '/nowhere', wait: 1, migrate: false });
    await expect(opening).rejects.toSatisfy(
      startError(/^The database lacks migrations up to \d+_\w+: run `npm run migrate`\.$/),
    );
    await openServer(url).then((database) => database.close());
    await openDatabase({ url, dataDir: '/nowhere', wait: 1, migrate: false }).then((database) =>
      database.close(),
    );
  },
);

const options = (url: string) => ({ config: { connectionString: url } });

const newer = `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name)
               VALUES ('x', 'x', now(), '29990101000000_future')`;
const refusal =
  /^The database is newer than this code: the migration 29990101000000_future is not known here\.$/;

onFolder('a database in DATA_DIR that is newer than the code is refused', async (dataDir) => {
  const database = await openDatabase({ dataDir, wait: 0, migrate: true });
  await database.query(newer);
  await database.close();
  await expect(openDatabase({ dataDir, wait: 0, migrate: true })).rejects.toSatisfy(
    startError(refusal),
  );
});

onServer('a server that is newer than the code is refused', async (url) => {
  const database = await openServer(url);
  await database.query(newer);
  await database.close();
  for (const migrate of [true, false]) {
    const opening = openDatabase({ url, dataDir: '/nowhere', wait: 1, migrate });
    await expect(opening).rejects.toSatisfy(startError(refusal));
  }
});

onServer(
  'a database that is newer starts for the versions that its migrations name',
  async (url) => {
    const database = await openServer(url);
    await database.query(newer);
    const declare = (oldest: string) =>
      database.query(
        `INSERT INTO migration_oldest (migration, oldest) VALUES ('29990101000000_future', '${oldest}')
       ON CONFLICT (migration) DO UPDATE SET oldest = excluded.oldest`,
      );
    const open = () => openDatabase({ url, dataDir: '/nowhere', wait: 1, migrate: false });
    for (const oldest of ['0.0.9', ownVersion]) {
      await declare(oldest);
      await open().then((opened) => opened.close());
    }
    for (const oldest of ['0.2.1', '0.10.0', '1.0.0']) {
      await declare(oldest);
      await expect(open()).rejects.toSatisfy(
        startError(
          new RegExp(
            `the migration 29990101000000_future needs version ${oldest}; this is ${ownVersion}\\.$`,
          ),
        ),
      );
    }
    await database.close();
  },
);

const good = {
  name: '29990101000000_good',
  script: `CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS $$ SELECT 1; SELECT n * 2 $$;
           CREATE TABLE whole (a text DEFAULT 'x;y');`,
};
const broken = {
  name: '29990102000000_broken',
  script: 'CREATE TABLE half (a int); SELECT missing FROM nowhere;',
};

/** Scripts may hold semicolons in functions and texts. Returns whether those before one that fails stay. */
async function keepsThoseBefore(
  apply: (migrations: Migration[]) => Promise<string[]>,
  query: (text: string) => Promise<{ rows: unknown[] }>,
): Promise<boolean> {
  await apply(readMigrations());
  const failing = apply([...readMigrations(), good, broken]);
  await expect(failing).rejects.toSatisfy(startError(/not applied: .*"nowhere" does not exist/));
  const { rows } = await query(
    `SELECT to_regclass('whole') IS NOT NULL AS before, to_regclass('half') AS own`,
  );
  expect(rows).toStrictEqual([{ before: expect.any(Boolean), own: null }]);
  const [{ before }] = rows as [{ before: boolean }];
  expect(await apply([...readMigrations(), good])).toStrictEqual(before ? [] : [good.name]);
  expect((await query(`SELECT twice(21) AS n`)).rows).toStrictEqual([{ n: 42 }]);
  expect(await apply([...readMigrations(), good])).toStrictEqual([]);
  return before;
}

test('a migration of DATA_DIR that fails leaves nothing of itself and of those before it', () =>
  withPGlite(async (database) => {
    const keeps = await keepsThoseBefore(
      (migrations) => migratePGlite(database, migrations),
      (text) => database.query(text),
    );
    expect(keeps).toBe(false);
  }));

/** Runs a test with connections to a server. */
async function withClients(
  url: string,
  count: number,
  body: (...clients: pg.Client[]) => Promise<void>,
): Promise<void> {
  const clients = Array.from({ length: count }, () => new pg.Client(url));
  for (const client of clients) await client.connect();
  await body(...clients).finally(() => Promise.all(clients.map((client) => client.end())));
}

onServer('a migration of a server that fails leaves nothing of itself; those before stay', (url) =>
  withClients(url, 1, async (client) => {
    const keeps = await keepsThoseBefore(
      (migrations) => migrateClient(client as pg.Client, migrations, options(url)),
      (text) => (client as pg.Client).query(text),
    );
    expect(keeps).toBe(true);
  }),
);

/** A database that the tests of single migrations bring forward, each from where it is. */
let former: PGlite;
beforeAll(async () => {
  former = await openPGlite();
});
afterAll(() => former.close());

/** Runs a test of a migration that stands after those of earlier tests, from empty tables. */
async function withMigration(
  name: string,
  body: (database: PGlite, migrate: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const all = readMigrations();
  const place = all.findIndex((migration) => migration.name.endsWith(name));
  await migratePGlite(former, all.slice(0, place));
  await former.exec('TRUNCATE account RESTART IDENTITY CASCADE');
  await body(former, () => migratePGlite(former, all.slice(0, place + 1)));
}

test('reminders whose frequency was misread are not understood any more, and their members are told', () =>
  withMigration('_schedules', async (database, migrate) => {
    const frequencies = {
      misread: [
        '2-3 times a day',
        'every 4-6 hours',
        'every_1_2_hours',
        'every -8 hours',
        '-3 times a day',
        'Every 4 - 6 Hours',
      ],
      understood: [
        '3 times a day',
        'every-8-hours',
        'every_8_hours',
        'twice daily',
        'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1',
        'as needed',
      ],
    };
    await database.query(`INSERT INTO account (username, username_key, email, email_key, name, slug, roles)
    VALUES ('m', 'm', 'm@example.com', 'm@example.com', 'M', 'm', ARRAY['subscriber'])`);
    for (const frequency of [...frequencies.misread, ...frequencies.understood])
      await database.query(
        `WITH made AS (
         INSERT INTO reminder (kind, account_id, creator_id, frequency_type, scheduled, recognized, follows, zone, zone_source, start_local,
           times, times_source, created_at, updated_at)
         SELECT 'medicine', id, id, $1, true, true, true, 'UTC', 'site', '2026-11-23T08:00:00', '{08:00}', 'usual_times', now(), now()
         FROM account RETURNING id, account_id)
       INSERT INTO occurrence (reminder_id, account_id, channel, planned_at, due_at, local_time)
       SELECT id, account_id, 'push', '2026-11-23T08:00:00Z', '2026-11-23T08:00:00Z', '2026-11-23T08:00:00' FROM made`,
        [frequency],
      );
    await migrate();
    const marked = `SELECT array_agg(frequency_type ORDER BY id) AS found FROM reminder WHERE NOT recognized`;
    const coming = `SELECT array_agg(frequency_type ORDER BY r.id) AS found FROM occurrence o JOIN reminder r ON r.id = o.reminder_id`;
    const [told] = (
      await database.query<{ count: number }>(`SELECT count(*)::int AS count FROM notification`)
    ).rows;
    expect((await database.query(marked)).rows).toStrictEqual([{ found: frequencies.misread }]);
    expect((await database.query(coming)).rows).toStrictEqual([{ found: frequencies.understood }]);
    expect(told?.count).toBe(frequencies.misread.length);
  }));

/** Every kind of row that the table of occurrences held, by what it is afterwards. */
const FORMER_ROWS = [
  { channel: 'push', repetition: 0, state: 'planned', cause: 'due', becomes: 0 },
  { channel: 'push', repetition: 0, state: 'sent', cause: 'due', becomes: 0 },
  { channel: 'push', repetition: 1, state: 'late', cause: 'repeat', becomes: 1 },
  { channel: 'push', repetition: 3, state: 'cancelled', cause: 'repeat', becomes: 3 },
  { channel: 'push', repetition: null, state: 'planned', cause: 'snooze', becomes: 0 },
  { channel: 'push', repetition: null, state: 'missed', cause: 'snooze', becomes: 0 },
  { channel: 'carers', repetition: 0, state: 'planned', cause: 'carers', becomes: 0 },
  { channel: 'carers', repetition: 2, state: 'sent', cause: 'carers', becomes: 2 },
  { channel: 'carers', repetition: null, state: 'cancelled', cause: 'carers', becomes: 0 },
] as const;

test('rows of occurrences become alerts with their cause, and nothing else of them changes', () =>
  withMigration('_reminder_alerts', async (database, migrate) => {
    await database.exec(`
    INSERT INTO account (username, username_key, name, slug, roles)
    VALUES ('m', 'm', 'M', 'm', ARRAY['subscriber']);
    INSERT INTO reminder (kind, account_id, creator_id, scheduled, recognized, follows, zone,
      zone_source, start_local, times, times_source, created_at, updated_at)
    SELECT 'medicine', id, id, true, true, true, 'UTC', 'site', '', '{}', '', now(), now()
    FROM account`);
    for (const [i, { channel, repetition, state }] of FORMER_ROWS.entries()) {
      await database.query(
        `INSERT INTO occurrence (reminder_id, account_id, channel, planned_at, due_at, local_time,
         repetition, state, settled_at, retry_at, told)
       SELECT id, account_id, $1, '2026-11-23T08:00Z',
         '2026-11-23T08:00Z'::timestamptz + make_interval(mins => $2), 'local', $3, $4,
         '2026-11-23T09:00Z', '2026-11-23T10:00Z', '{7}' FROM reminder`,
        [channel, i, repetition, state],
      );
    }
    await database.query(
      `INSERT INTO notification (account_id, kind, title, body, message_id, occurrence_ids, state,
       created_at, send_at)
     SELECT id, 'reminder', '', '', gen_random_uuid(), '{1,9}', 'queued', now(), now() FROM account`,
    );
    const same = `id, reminder_id, account_id, planned_at, due_at, local_time, state, settled_at,
    retry_at, told`;
    const { rows: before } = await database.query(`SELECT ${same} FROM occurrence ORDER BY id`);
    await migrate();

    expect(
      (await database.query(`SELECT ${same} FROM reminder_alert ORDER BY id`)).rows,
    ).toStrictEqual(before);
    expect(
      (await database.query('SELECT cause, repetition FROM reminder_alert ORDER BY id')).rows,
    ).toStrictEqual(FORMER_ROWS.map(({ cause, becomes: repetition }) => ({ cause, repetition })));
    expect((await database.query('SELECT alert_ids FROM notification')).rows).toStrictEqual([
      { alert_ids: [1, 9] },
    ]);
    const another = `INSERT INTO reminder_alert
    (reminder_id, account_id, cause, planned_at, due_at, local_time)
    SELECT id, account_id, 'due', now(), now(), '' FROM reminder RETURNING id`;
    expect((await database.query(another)).rows).toStrictEqual([{ id: FORMER_ROWS.length + 1 }]);
  }));

onBoth(
  'an instant has one alert to the member about an occurrence, and one to carers',
  async (database) => {
    await database.query(`INSERT INTO account (username, username_key, name, slug, roles)
    VALUES ('m', 'm', 'M', 'm', ARRAY['subscriber'])`);
    await database.query(`INSERT INTO reminder (kind, account_id, creator_id, scheduled, recognized,
      follows, zone, zone_source, start_local, times, times_source, created_at, updated_at)
    SELECT 'medicine', id, id, true, true, true, 'UTC', 'site', '', '{}', '', now(), now()
    FROM account`);
    const insert = (cause: string, repetition: number) =>
      database.query(
        `INSERT INTO reminder_alert
         (reminder_id, account_id, cause, repetition, planned_at, due_at, local_time)
       SELECT id, account_id, $1, $2, '2026-11-23T08:00Z', '2026-11-23T08:10Z', '' FROM reminder`,
        [cause, repetition],
      );
    await insert('repeat', 1);
    await insert('carers', 0);
    for (const [cause, repetition] of [
      ['due', 0],
      ['repeat', 2],
      ['snooze', 0],
      ['carers', 1],
    ] as const) {
      await expect(insert(cause, repetition), cause).rejects.toSatisfy(isUniqueViolation);
    }
    for (const [cause, repetition] of [
      ['push', 0],
      ['due', 1],
      ['repeat', 0],
      ['snooze', 1],
      ['carers', -1],
    ] as const) {
      await expect(insert(cause, repetition), cause).rejects.toThrow(
        /reminder_alert_(cause|repetition)/,
      );
    }
  },
);

test('indexes of numbers of models are made anew over what every key has, and others stay', () =>
  withMigration('_numbers_of_models', async (database, migrate) => {
    const former = `COALESCE((keys ->> '7')::float8, '-Infinity'::float8)`;
    const where = 'WHERE definition_id IN (3, -7)';
    await database.exec(`
      CREATE INDEX "model_item_field_7" ON model_item (${former}, id) ${where};
      CREATE INDEX "model_item_field_8" ON model_item ((COALESCE(keys ->> '8', '') COLLATE "C"), id) ${where};
      CREATE INDEX "model_item_field_9" ON model_item USING gin (("values" -> '9') jsonb_path_ops) ${where}`);
    const found = async () => {
      const text = `SELECT indexname AS name, indexdef AS made FROM pg_indexes
        WHERE indexname LIKE 'model_item_field_%' ORDER BY 1`;
      return (await database.query<{ name: string; made: string }>(text)).rows;
    };
    const [, text, list] = await found();
    await migrate();
    const field = { id: 7, type: 'number', name: '', label: '', description: '', groupId: null };
    const { sql } = keyOf({ ...field, options: [] });
    await database.exec(`CREATE INDEX "model_item_field_6" ON model_item (${sql}, id) ${where}`);
    const [asMade, number, ...others] = await found();
    expect(number?.made.replaceAll('_7', '_6')).toBe(asMade?.made);
    expect(others).toStrictEqual([text, list]);
  }));

test('the migrations make what schema.prisma says', async () => {
  expect(await schemaDiff()).toBe('');
});

test('the diff drops what nobody listed, and leaves alone what is listed as unmanaged', () =>
  withPGlite(async (database) => {
    await database.exec('CREATE INDEX mine ON term (name)');
    await database.exec(
      'CREATE TABLE queue (id int PRIMARY KEY, item int REFERENCES content_item)',
    );
    const sql = await diffFrom(database, { tables: [], enums: [], indexes: [] });
    expect(sql).toMatch(/DROP INDEX "mine";/);
    expect(sql).toMatch(/DROP TABLE "queue";/);
    const tables = ['queue', ...readUnmanaged().tables];
    expect(await diffFrom(database, { tables, enums: [], indexes: ['mine'] })).toBe('');
  }));

onBoth(
  'a new installation has seven languages, a category and a site, and ids go on after them',
  async ({ prisma }) => {
    expect((await prisma.language.findFirstOrThrow({ where: { id: 1 } })).code).toBe('en');
    expect((await prisma.language.create({ data: { code: 'it', name: 'Italiano' } })).id).toBe(8);
    expect((await prisma.term.findFirstOrThrow({ where: { id: 1 } })).slug).toBe('uncategorized');
    expect(
      (
        await prisma.term.create({
          data: { taxonomy: 'category', name: 'B', nameKey: 'b', slug: 'b' },
        })
      ).id,
    ).toBe(2);
    expect(await prisma.site.findMany()).toStrictEqual([
      {
        id: 1,
        title: 'Care',
        tagline: '',
        timeZone: 'UTC',
        defaultCategoryId: 1,
        frontPageId: null,
        postsPageId: null,
        said: null,
        zoneChangedAt: null,
        zoneData: null,
        version: 0,
      },
    ]);
  },
);

onBoth('the database itself refuses values and pairs that cannot be', async ({ prisma }) => {
  const author = {
    username: 'a',
    usernameKey: 'a',
    email: 'a',
    emailKey: 'a',
    name: 'a',
    slug: 'a',
    roles: ['author'],
  };
  const { id: authorId } = await prisma.account.create({ data: author });
  const at = new Date();
  const texts = {
    title: '',
    titleKey: '',
    titleRendered: '',
    content: '',
    contentRendered: '',
    excerpt: '',
    excerptRendered: '',
  };
  const state = {
    status: 'draft',
    rendering: 1,
    publishedAt: at,
    modifiedAt: at,
    commentsOpen: true,
    pingsOpen: true,
    guid: '',
  };
  const item = { ...texts, ...state, kind: 'post', authorId };
  const revision = { authorId, title: '', content: '', excerpt: '', createdAt: at, modifiedAt: at };

  await expect(
    prisma.account.update({ where: { id: authorId }, data: { roles: ['author', 'king'] } }),
  ).rejects.toThrow();
  await expect(
    prisma.site.create({ data: { id: 2, title: '', tagline: '', defaultCategoryId: 1 } }),
  ).rejects.toThrow();
  await expect(
    prisma.term.create({ data: { taxonomy: 'colour', name: '', nameKey: '', slug: 'x' } }),
  ).rejects.toThrow();
  await expect(prisma.contentItem.create({ data: { ...item, kind: 'product' } })).rejects.toThrow();
  await expect(prisma.contentItem.create({ data: { ...item, status: 'lost' } })).rejects.toThrow();
  await expect(prisma.contentItem.create({ data: { ...item, format: 'opera' } })).rejects.toThrow();

  const live = { ...item, status: 'publish', slug: 'same' };
  const first = await prisma.contentItem.create({ data: live });
  await expect(prisma.contentItem.create({ data: live })).rejects.toSatisfy(isUniqueViolation);
  await expect(prisma.contentItem.create({ data: { ...live, status: 'trash' } })).rejects.toSatisfy(
    isUniqueViolation,
  );
  await prisma.contentItem.create({ data: { ...live, parentId: first.id } });
  await prisma.contentItem.create({ data: { ...live, kind: 'page' } });
  await prisma.contentItem.createMany({ data: [item, item] }); // drafts without an address
  // Drafts keep what they ask for
  await prisma.contentItem.createMany({ data: [1, 2].map(() => ({ ...item, slug: 'same' })) });

  await prisma.revision.createMany({ data: [1, 2].map(() => ({ ...revision, itemId: first.id })) });
  await prisma.revision.create({ data: { ...revision, itemId: first.id, autosave: true } });
  await expect(
    prisma.revision.create({ data: { ...revision, itemId: first.id, autosave: true } }),
  ).rejects.toSatisfy(isUniqueViolation);
});

onBoth(
  'columns that sort do so by code point, whatever the database was made with',
  async (database) => {
    const found = await database.query<{ column: string }>(
      `SELECT table_name || '.' || column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND collation_name = 'C' ORDER BY 1`,
    );
    expect(found.map(({ column }) => column)).toStrictEqual([
      'account.username_key',
      'content_item.slug',
      'content_item.title_key',
      'dose_fact.medicine_type',
      'dose_fact.outcome',
      'dose_fact.schedule_kind',
      'item_count.kind',
      'item_count.status',
      'item_counted.kind',
      'item_counted.status',
      'item_set.name',
      'item_set_part.name',
      'report_building.made_by',
      'report_building.subject',
      'report_cell.grid',
      'report_cell.keys',
      'report_cell.sketch_key',
      'report_cell.subject',
      'report_change.subject',
      'report_kept.subject',
      'report_loose.subject',
      'report_member.language',
      'report_member.subject',
      'report_month.logged_by',
      'report_month.subject',
      'report_stale.subject',
      'report_state.subject',
      'service_search.name_key',
      'service_search.time_zone',
      'term.name_key',
      'term.slug',
    ]);
  },
);

onServer('a migration waits 200 ms for a lock, unless it is told otherwise', async (url) => {
  const client = new pg.Client(url);
  await client.connect();
  const note = `CREATE TABLE noted AS SELECT current_setting('lock_timeout') AS lock_timeout;`;
  const noting = { name: '29990103000000_note', script: note };
  await migrateClient(client, [...readMigrations(), noting], options(url));
  const { rows } = await client.query('SELECT * FROM noted');
  expect(rows).toStrictEqual([{ lock_timeout: '200ms' }]);
  await client.end();
});

onServer('a migration that a deadlock ends is tried again', async (url) => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('CREATE SEQUENCE attempt');
  const script = `DO $$ BEGIN IF nextval('attempt') = 1 THEN RAISE 'x' USING ERRCODE = '40P01';
    END IF; END $$;`;
  const name = '29990103000000_again';
  const applied = await migrateClient(client, [...readMigrations(), { name, script }], {
    ...options(url),
    patience: { pause: 10 },
  });
  expect(applied).toContain(name);
  await client.end();
});

onServer(
  'a migration that waits for a lock lets others pass, tries again, and says whom it waits for',
  async (url) => {
    await openServer(url).then((database) => database.close());
    const [migrator, holder, reader] = [
      new pg.Client(url),
      new pg.Client({ connectionString: url, application_name: 'report' }),
      new pg.Client(url),
    ];
    for (const client of [migrator, holder, reader]) await client.connect();
    const altering = {
      name: '29990103000000_alter',
      script: 'ALTER TABLE language ADD COLUMN more int;',
    };
    const migrations = [...readMigrations(), altering];
    await holder.query('BEGIN');
    await holder.query('SELECT * FROM language');

    const lines: string[] = [];
    const patience = { lock: 500, pause: 100, total: 60_000 };
    const patient = { ...options(url), log: (line: string) => void lines.push(line), patience };
    const migrating = migrateClient(migrator, migrations, patient);
    let ended = false;
    const end = () => {
      ended = true;
    };
    void migrating.then(end, end);
    while (lines.length < 2) {
      expect(ended, 'it tries again while the long transaction lasts').toBe(false);
      // Readers wait behind the migration for the time of one lock at most, and not until the long
      // transaction ends.
      await reader.query(`SET statement_timeout = '20s'`);
      expect(
        (await reader.query('SELECT count(*)::int AS count FROM language')).rows[0].count,
      ).toBe(7);
      await sleep(50);
    }
    const told =
      /^The migrations wait for the table language, which process \d+ of PostgreSQL \(report\) holds in a transaction of \d+ s, idle in transaction; trying again for \d+ s\.$/;
    expect(lines[0] ?? '').toMatch(told);
    await holder.query('COMMIT');
    expect(await migrating).toStrictEqual([altering.name]);

    await holder.query('BEGIN');
    await holder.query('SELECT * FROM language');
    const again = [
      ...migrations,
      { name: '29990104000000_again', script: 'ALTER TABLE language DROP COLUMN more;' },
    ];
    const began = Date.now();
    const failing = migrateClient(migrator, again, {
      ...patient,
      patience: { ...patience, total: 1_000 },
    });
    await expect(failing).rejects.toSatisfy(
      startError(
        /^The migrations were not applied: they waited 1 s for the table language, which process \d+/,
      ),
    );
    const took = Date.now() - began;
    expect(took, `it gives up after about a second, not after ${took} ms`).toBeLessThan(15_000);
    await Promise.all([migrator, holder, reader].map((client) => client.end()));
  },
);

const indexing = {
  name: '29990103000000_index',
  script: `-- oldest: 0.1.0
DROP INDEX CONCURRENTLY IF EXISTS language_index;
CREATE UNIQUE INDEX CONCURRENTLY language_index ON language (name);
`,
};

onServer('a migration that makes an index says whom it waits for', (url) =>
  withClients(url, 2, async (...clients) => {
    const [migrator, holder] = clients as [pg.Client, pg.Client];
    await migrateClient(migrator, readMigrations(), options(url));
    await holder.query(`SET application_name = 'a backup'`);
    await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM language');
    const lines: string[] = [];
    const migrating = migrateClient(migrator, [...readMigrations(), indexing], {
      ...options(url),
      log: (line) => void lines.push(line),
    });
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    void migrating.then(end, end);
    while (lines.length === 0 && !isOver) await sleep(50);
    expect(lines).toStrictEqual([
      expect.stringMatching(
        /^The migrations wait for what process \d+ of PostgreSQL \(a backup\) holds in a transaction of \d+ s, idle in transaction\.$/,
      ),
    ]);
    await holder.query('COMMIT');
    expect(await migrating).toStrictEqual([indexing.name]);
  }),
);

onServer('a migration that makes an index holds up no writes, and runs again after a kill', (url) =>
  withClients(url, 3, async (...clients) => {
    const [migrator, holder, writer] = clients as [pg.Client, pg.Client, pg.Client];
    migrator.on('error', () => {});
    const note = { name: '29990104000000_note', script: 'CREATE TABLE noted (a int);' };
    await migrateClient(migrator, readMigrations(), options(url));
    await holder.query('BEGIN');
    await holder.query(`UPDATE language SET name = name`);
    const migrations = [...readMigrations(), indexing, note];
    const migrating = migrateClient(migrator, migrations, options(url));
    const isThere = async () =>
      (await writer.query(`SELECT to_regclass('language_index') AS i`)).rows[0].i;
    while (!(await isThere())) await sleep(50);
    await writer.query(`SET statement_timeout = '20s'`);
    await writer.query(`INSERT INTO language (id, code, name) VALUES (99, 'xx', 'One')`);
    await writer.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'CREATE UNIQUE%'`);
    await expect(migrating).rejects.toThrow();
    await holder.query('COMMIT');
    const names = [indexing.name, note.name];
    expect(await migrateClient(writer, migrations, options(url))).toStrictEqual(names);
    const { rows } = await writer.query(`SELECT indisvalid AS valid FROM pg_index
      WHERE indexrelid = 'language_index'::regclass`);
    expect(rows).toStrictEqual([{ valid: true }]);
  }),
);

onServer(
  'a migration that fills the disk is named in one sentence, and runs again',
  async (url) => {
    const all = readMigrations();
    const [last] = all.splice(-1) as [Migration];
    const within = (body: (client: pg.Client) => Promise<unknown>) =>
      withClients(url, 1, async (client) => void (await body(client as pg.Client)));
    await within((client) => migrateClient(client, all, options(url)));
    await within((client) =>
      client.query(`CREATE FUNCTION "full"() RETURNS event_trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE SQLSTATE '53100'; END $$;
      CREATE EVENT TRIGGER "full" ON ddl_command_start EXECUTE FUNCTION "full"()`),
    );
    const migrate = () =>
      run('migrate', TOOL, { env: { PATH: process.env.PATH, DATABASE_URL: url } });
    const failing = migrate();
    expect(await failing.ended).toBe(2);
    expect(failing.output.errors).toBe(
      'The disk of the database is full: the migrations that are left were not applied; the next run goes on there.\n',
    );
    await within((client) => client.query('DROP EVENT TRIGGER "full"; DROP FUNCTION "full"'));
    const child = migrate();
    expect(await child.ended, child.output.errors).toBe(0);
    expect(child.output.text).toContain(`Applied the migration ${last.name}.`);
  },
);

test('a database without migrations gets its indexes in a transaction', () =>
  withPGlite(async (database) => {
    await migratePGlite(database, [...readMigrations(), indexing]);
    const { rows } = await database.query(
      `SELECT oldest FROM migration_oldest WHERE migration = '${indexing.name}'`,
    );
    expect(rows).toStrictEqual([{ oldest: '0.1.0' }]);
    expect(
      (await database.query(`SELECT to_regclass('language_index')::text AS i`)).rows,
    ).toStrictEqual([{ i: 'language_index' }]);
  }));
