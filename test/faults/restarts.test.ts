import { setTimeout as sleep } from 'node:timers/promises';
import { onCluster } from './cluster.js';
import { openServer } from './databases.js';
import { allCarried, check, enrol, handingOver, prescribe } from './prescriptions.js';
import { Workforce } from './workforce.js';

/** How often the database crashes; `.ci/nightly` says more. */
const CRASHES = Number(process.env.DATABASE_CRASHES ?? 3);

onCluster(
  'crashes of the database lose no occurrence, and send none under two message ids; workers go on by themselves',
  async (cluster) => {
    const database = await openServer(cluster.url);
    await enrol(database);
    const workers = await Workforce.hire(cluster.url);
    let made = 0;
    try {
      for (let crash = 0; crash < CRASHES; crash++) {
        const before = workers.sent.length;
        made += await prescribe(database, workers.clock);
        await (crash % 2 === 0 ? handingOver(database) : workers.atWork(before));
        await workers.without(async () => {
          await cluster.crash();
          await sleep(Math.random() * 1_500);
          await cluster.start();
        });
      }
      await allCarried(database);
    } finally {
      await workers.stop();
    }
    try {
      const { occurrences, repeated } = await check(database, workers, made);
      console.log(
        `${CRASHES} crashes of the database, ${occurrences} occurrences, ${workers.sent.length} pushes, ${repeated} of them again after a crash`,
      );
    } finally {
      await database.close();
    }
  },
);
