import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/platform/database/database.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { kills, onFolder, onServer, openServer } from './databases.js';
import { start } from './processes.js';

/**
 * Kills a writing process again and again; every pair it called written must be there, and no half
 * of a pair.
 */
async function losesNothing(
  environment: NodeJS.ProcessEnv,
  open: () => Promise<Database>,
): Promise<void> {
  let written = 0;
  for (let round = 1; round <= kills; round++) {
    const writer = start('write.js', { ...environment, FROM: String(written + 1) });
    await writer.says('\n');
    await sleep(200 + Math.random() * 600);
    await writer.kill();
    const acknowledged = writer.output.text.trim().split('\n').map(Number);
    const database = await open();
    const found = await database.query<{ code: string }>(
      `SELECT code FROM language WHERE code LIKE '%-%'`,
    );
    await database.close();
    const codes = new Set(found.map(({ code }) => code));
    const isWhole = (number: number) => codes.has(`left-${number}`) && codes.has(`right-${number}`);
    expect(
      acknowledged.filter((number) => !isWhole(number)),
      'lost',
    ).toStrictEqual([]);
    expect(
      [...codes].filter((code) => code.startsWith('left')).length * 2,
      'a transaction was kept by half',
    ).toBe(codes.size);
    written = Math.max(...[...codes].map((code) => Number(code.split('-')[1])));
  }
}

onFolder('kill -9 during writes loses no acknowledged write (PGlite)', (folder) =>
  losesNothing({ DATA_DIR: folder }, () =>
    openDatabase({ dataDir: folder, wait: 0, migrate: true }),
  ),
);

onServer('kill -9 during writes loses no acknowledged write (PostgreSQL)', (url) =>
  losesNothing({ DATABASE_URL: url }, () => openServer(url)),
);

onFolder('kill -9 during the first start leaves nothing that is then trusted', async (folder) => {
  for (let round = 1; round <= kills; round++) {
    const dataDir = `${folder}/${round}`;
    const first = start('open.js', { DATA_DIR: dataDir });
    await sleep(250 + Math.random() * 700);
    await first.kill();
    const second = start('open.js', { DATA_DIR: dataDir, ONCE: '1' });
    expect(await second.ended, second.output.errors).toBe(0);
  }
});
