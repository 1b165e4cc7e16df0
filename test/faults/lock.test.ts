import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { kills, onFolder } from './databases.js';
import { start } from './processes.js';

onFolder(
  'a second process on the same DATA_DIR is refused with one sentence and exit code 1',
  async (folder) => {
    const first = start('open.js', { DATA_DIR: folder });
    await first.says('ready');
    const second = start('open.js', { DATA_DIR: folder });
    expect(await second.outcome('ready')).toBe('refused');
    expect(await second.ended).toBe(1);
    expect(second.output.errors).toMatch(
      /^The data directory \S+ is in use by another process \(process \d+\); stop that one first\.\n$/,
    );
    await first.kill();
  },
);

onFolder('a holder that is busy is named by its process number too', async (folder) => {
  const first = start('hold.js', { FOLDER: folder, BUSY: '1' });
  await first.says('held');
  const second = start('hold.js', { FOLDER: folder });
  expect(await second.ended).toBe(1);
  expect(second.output.errors).toBe(
    `The data directory ${realpathSync(folder)} is in use by another process (process ${first.pid}); stop that one first.\n`,
  );
  await first.kill();
  // The number of a process that has ended is forgotten with its lock.
  const third = start('hold.js', { FOLDER: folder, BUSY: '1' });
  await third.says('held');
  const fourth = start('hold.js', { FOLDER: folder });
  expect(await fourth.ended).toBe(1);
  expect(fourth.output.errors).toContain(`(process ${third.pid})`);
  await third.kill();
});

onFolder('after kill -9 of the holder the next start works', async (folder) => {
  const first = start('open.js', { DATA_DIR: folder });
  await first.says('ready');
  await first.kill();
  const second = start('open.js', { DATA_DIR: folder, ONCE: '1' });
  expect(await second.ended, second.output.errors).toBe(0);
  expect(readdirSync(join(folder, '.lock')), 'a clean end leaves no socket').toStrictEqual([]);
});

onFolder(
  'of several that start at once exactly one holds the lock, also after kill -9 of holders before',
  async (folder) => {
    for (let round = 0; round < 2 + kills; round++) {
      const children = Array.from({ length: 5 }, () => start('hold.js', { FOLDER: folder }));
      const outcomes = await Promise.all(children.map((child) => child.outcome('held')));
      expect(
        outcomes.filter((each) => each === 'held'),
        `round ${round}: ${outcomes.join(' ')}`,
      ).toHaveLength(1);
      await Promise.all(children.map((child) => child.kill()));
    }
  },
);

onFolder('a folder whose path is too long for a socket is locked all the same', async (folder) => {
  const deep = join(folder, 'x'.repeat(120));
  const first = start('open.js', { DATA_DIR: deep });
  await first.says('ready');
  const second = start('open.js', { DATA_DIR: deep });
  expect(await second.outcome('ready')).toBe('refused');
  await first.kill();
});
