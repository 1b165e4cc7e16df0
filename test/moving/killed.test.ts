import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrateTool } from '../../src/app/tools/migrate.js';
import { adminUrl, withServer } from '../faults/databases.js';
import { type Child, run } from '../faults/processes.js';
import { Original } from './original.js';
import { makeTables } from './tables.js';

const SERVER = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1/';
/** How often an import is killed before it may end. */
const KILLS = Number(process.env.IMPORT_KILLS ?? 3);

/** What an import writes, without when it wrote it, what is encrypted, and numbers that nobody knows. */
const WRITTEN = {
  account: 'id, username, email, name, slug, password_hash, roles, language_id',
  term: '*',
  content_item: '*',
  content_term: '*',
  reminder: '*',
  dose_amount: 'reminder_id, starts_on, time, amount, up_to',
  device: '*',
  poll: '*',
  poll_option: '*',
  poll_submission: '*',
  policy: '*',
  policy_agreement: '*',
  form: '*',
  form_submission: 'id, form_id, platform, email_hash, received_at, marks',
  feed: '*',
  imported_key: '*',
  imported_row: 'kind, id, source_digest, own_digest',
};

async function contentOf(url: string): Promise<Readonly<Record<string, string>>> {
  const client = new pg.Client(url);
  await client.connect();
  const found: Record<string, string> = {};
  try {
    for (const [table, columns] of Object.entries(WRITTEN)) {
      const { rows } = await client.query(
        `SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) || ' ' || count(*) AS all
      FROM (SELECT ${columns} FROM ${table}) AS t`,
      );
      found[table] = rows[0].all;
    }
  } finally {
    await client.end();
  }
  return found;
}

/** Adds rows of all kinds, so many that an import takes many steps. */
async function fill(original: Original): Promise<void> {
  await makeTables(original);
  for (let ID = 30; ID < 40; ID++)
    await original.account({ ID, user_login: `m${ID}` }, 'subscriber');
  for (let ID = 100; ID < 500; ID++)
    await original.post({ ID, post_title: 'T', post_name: `t${ID}` }, {}, [1]);
  const many = (table: string, columns: string, values: string, count: number) =>
    original.change(
      `INSERT INTO wp_care_${table} (${columns}) SELECT ${values} FROM seq_1_to_${count}`,
    );
  await many(
    'medicine_reminder',
    'user_id, name, frequency_type, start_date',
    "30 + seq MOD 10, CONCAT('M', seq), ELT(1 + seq MOD 3, '2 tablets twice a day', 'daily', 'by the moon'), '2026-01-01'",
    2_200,
  );
  await many(
    'appointment_reminder',
    'user_id, title, date_time',
    "30 + seq MOD 10, CONCAT('A', seq), '2027-01-01 10:00:00'",
    1_200,
  );
  await many('poll', 'question', "CONCAT('Q', seq)", 60);
  await many('poll_option', 'poll_id, text', "1 + seq MOD 60, CONCAT('O', seq)", 120);
  await many('poll_answer', 'poll_id, user_id', '1 + seq MOD 60, 30 + seq DIV 60', 599);
  await many(
    'ncsm',
    'name, email, score, form, created',
    "'N', 'n@example.com', seq, 'gad7', '2026-01-01'",
    700,
  );
}

describe('An import that is killed', () => {
  const importing = (url: string, source: string): Child =>
    run(
      'run-import',
      [process.execPath, fileURLToPath(new URL('run-import.js', import.meta.url))],
      {
        env: {
          ...process.env,
          DATABASE_URL: url,
          SOURCE: source,
          SEED: 'none',
          SECRET_KEY: 't'.repeat(40),
        },
      },
    );

  (adminUrl ? it : it.skip)('comes to what one that was not killed comes to', async () => {
    const original = await Original.make(SERVER);
    try {
      await fill(original);
      await withServer((url) =>
        withServer(async (killedUrl) => {
          for (const DATABASE_URL of [url, killedUrl])
            await migrateTool({ DATABASE_URL }, { say: () => {} });
          const whole = importing(url, original.address);
          await whole.says('begins');
          const begun = performance.now();
          expect(await whole.ended, whole.output.errors).toBe(0);
          const duration = performance.now() - begun;
          let unfinished = 0;
          for (let kill = 0; kill < KILLS; kill++) {
            const child = importing(killedUrl, original.address);
            await child.says('begins');
            await setTimeout(Math.random() ** 2 * duration);
            await child.kill();
            if (!child.output.text.includes('ends')) unfinished++;
          }
          const last = importing(killedUrl, original.address);
          expect(await last.ended, last.output.errors).toBe(0);
          expect(await contentOf(killedUrl)).toStrictEqual(await contentOf(url));
          expect(unfinished).toBeGreaterThan(0);
          if (process.env.IMPORT_KILLS)
            console.log(`${KILLS} kills, ${unfinished} of them before the import was done`);
        }),
      );
    } finally {
      await original.drop();
    }
  });
});
