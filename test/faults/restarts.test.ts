import { setTimeout as sleep } from 'node:timers/promises';
import { onCluster } from './cluster.js';
import { handingOver, remind } from './prescriptions.js';

/** How often the database crashes; `.ci/nightly` says more. */
const CRASHES = Number(process.env.DATABASE_CRASHES ?? 3);

onCluster(
  'crashes of the database lose no occurrence, and send none under two message ids; workers go ' +
    'on by themselves',
  async (cluster) => {
    const figures = await remind(cluster.url, async ({ database, workers, prescribe }) => {
      for (let crash = 0; crash < CRASHES; crash++) {
        const before = workers.sent.length;
        await prescribe();
        await (crash % 2 === 0 ? handingOver(database) : workers.atWork(before));
        await workers.without(async () => {
          await cluster.crash();
          await sleep(Math.random() * 1_500);
          await cluster.start();
        });
      }
    });
    console.log(`${CRASHES} crashes of the database, ${figures}`);
  },
);
