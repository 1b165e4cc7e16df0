// `rows.sql` is what the last version before the grammar counted every word had stored, sent by REST:
// 30 medicines of Mina, a dose of the first one, and Cara, who cares for her. Hashes are left out.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { serviceContext } from '../../../../src/core/service-context.js';
import { rereadPhrases } from '../../../../src/domains/reminders/reminder/reread.service.js';
import type { Database } from '../../../../src/platform/database/database.js';
import { migrateClient } from '../../../../src/platform/database/migrate-server.js';
import { readMigrations } from '../../../../src/platform/database/migrations.js';
import { openDatabase } from '../../../../src/platform/database/open.js';
import { openPGlite } from '../../../../src/platform/database/pglite.js';
import { migratePGlite } from '../../../../src/platform/database/pglite-adapter.js';
import { onFolder, onServer, openServer } from '../../../faults/databases.js';
import { type Harness, useService } from '../../../support/harness.js';
import { whenOver } from '../../../support/running.js';

const ROWS = readFileSync(join(process.cwd(), 'test/domains/reminders/before/rows.sql'), 'utf8');
const LAST = '20261124033000_public_languages';
/** The migrations that that version had. */
const migrations = () => {
  const all = readMigrations();
  return all.slice(0, all.findIndex(({ name }) => name === LAST) + 1);
};
const [MINA, CARA] = [2, 3];
const NOW = '2026-11-26T07:30:00Z';

interface Shown {
  frequency: string;
  times: string[];
  amounts: { value: number; unit: string | null }[];
  frequencyDoubt: { meanings: string[] } | null;
}

/** Directions, times, amounts; meanings where they are in doubt. */
const MENDED = [
  ['0.05 mg daily', '08:00', '0.05 mg'],
  ['0.025 mg once daily', '08:00', '0.025 mg'],
  ['1,200 mg three times a day', '08:00 14:00 20:00', '1200 mg'],
  ['5 mg in the morning and 0.05 mg at night', '08:00 20:00', '5 mg, 0.05 mg'],
  ['take 1 bd', '08:00 20:00', '1'],
  ['1 bd for 7 days', '08:00 20:00', '1'],
  ['1 QDS PRN', '', '1'],
  ['10 qhs', '22:00', '10'],
  ['2 nightly', '20:00', '2'],
  ['once a day for five days every month', '08:00', ''],
  ['every 4 weeks for 5 days', '08:00', ''],
  ['cada 8 días', '08:00', '', 'every 8 days | weekly'],
  ['a cada 15 dias', '08:00', '', 'every 15 days | every 2 weeks'],
  ['2 x 500mg daily', '08:00 20:00', '', 'daily, take 2 of 500 mg | 500 mg 2 times a day'],
  ['so', '08:00', '', ''],
  ['1 drop OD', '08:00', '', ''],
  ['daily', '08:00', ''],
  ['2 tablets twice a day', '08:00 20:00', '2 tablet'],
  ['0.5 mg daily', '08:00', '0.5 mg'],
  ['every 8 hours', '00:00 08:00 16:00', ''],
  ['1.05 mg in the morning and 2.05 mg at night', '08:00 20:00', '1.05 mg, 2.05 mg'],
  ['1 tablet in the morning and 2 tablets at night', '08:00 20:00', '1 tablet, 2 tablet'],
  ['methotrexate 2.5 mg daily', '08:00', '', '2.5 mg daily'],
  ['apply sparingly', '08:00', '', ''],
  ['at 8am and 8pm', '08:00 20:00', ''],
  ['1 bd mon-fri', '08:00 20:00', '1'],
  ['every 28 days for 5 days', '08:00', ''],
  ['tous les 15 jours', '08:00', '', 'every 15 days | every 2 weeks'],
  ['10 mg daily until 2027-01-31', '08:00', '10 mg'],
  ['1 od x 28', '08:00', '', 'daily for 28 doses, take 1 | daily for 28 days, take 1'],
];

describe('A database of the version before', () => {
  const service = useService();
  const title = 'rings as directions say, is in doubt where nobody knows, and says so to everybody';

  onFolder(`${title} (PGlite)`, async (dataDir) => {
    const old = await openPGlite({ dataDir: join(dataDir, 'database') });
    await migratePGlite(old, migrations());
    await old.exec(ROWS);
    await old.close();
    await mended(await openDatabase({ dataDir, wait: 0, migrate: true }));
  });

  onServer(`${title} (PostgreSQL)`, async (url) => {
    const old = new pg.Client(url);
    await old.connect();
    await migrateClient(old, migrations(), { config: { connectionString: url } });
    await old.query(ROWS);
    await old.end();
    await mended(await openServer(url));
  });

  async function mended(database: Database): Promise<void> {
    whenOver(() => database.close());
    service().at(NOW);
    const upgraded = await service().beside({ database });
    whenOver(() => upgraded.stop());
    const context = await serviceContext(upgraded.app.deps, 'test');
    const done = await rereadPhrases(context, AbortSignal.timeout(60_000));
    expect(done).toStrictEqual({ looked: 30, corrected: 14, doubted: 6 });
    expect(await shown(upgraded)).toStrictEqual(MENDED);
    const count = async (text: string) => (await database.query<object>(text))[0];
    for (const account of [MINA, CARA])
      expect(
        await count(`SELECT count(*) FILTER (WHERE kind = 'reminder_corrected')::int AS corrected,
          count(*) FILTER (WHERE kind = 'reminder_doubted')::int AS doubted
          FROM notification WHERE account_id = ${account}`),
        `account ${account}`,
      ).toStrictEqual({ corrected: 14, doubted: 6 });
    expect(
      await count(
        `SELECT count(*)::int AS audited FROM audit_event WHERE action = 'reminder.reread'`,
      ),
    ).toStrictEqual({ audited: 20 });
    expect(await count('SELECT amount FROM dose'), 'nobody knows what was taken').toStrictEqual({
      amount: null,
    });
    const again = await rereadPhrases(context, AbortSignal.timeout(60_000));
    expect(again).toStrictEqual({ looked: 0, corrected: 0, doubted: 0 });
  }

  /** The medicines as Mina sees them: directions, times, amounts, and the meanings in doubt. */
  async function shown(upgraded: Harness) {
    const { medicineReminders } = await upgraded.data(
      `{ medicineReminders(first: 50) { nodes {
        frequency times amounts { value unit } frequencyDoubt { meanings } } } }`,
      {},
      { token: await tokenOf(upgraded, MINA) },
    );
    return (medicineReminders.nodes as Shown[])
      .reverse()
      .map(({ frequency, times, amounts, frequencyDoubt }) => [
        frequency,
        times.join(' '),
        amounts.map(({ value, unit }) => (unit ? `${value} ${unit}` : `${value}`)).join(', '),
        ...(frequencyDoubt ? [frequencyDoubt.meanings.join(' | ')] : []),
      ]);
  }

  async function tokenOf(upgraded: Harness, accountId: number): Promise<string> {
    const sessionId = randomUUID();
    await upgraded.app.deps.database.query(
      'INSERT INTO session (id, account_id, created_at, used_at) VALUES ($1, $2, $3, $3)',
      [sessionId, accountId, NOW],
    );
    const { tokens } = upgraded.app.deps;
    return tokens.signAccess({ accountId, sessionId, counter: 0 }, Date.parse(NOW));
  }
});
