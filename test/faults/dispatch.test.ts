import { onServer } from './databases.js';
import { handingOver, remind } from './prescriptions.js';
import { KILLS } from './workforce.js';

onServer(
  'kill -9 of workers that hand over and deliver loses no occurrence, and sends none under two ' +
    'message ids',
  async (url) => {
    const figures = await remind(url, async ({ database, workers, prescribe }) => {
      for (let kill = 0; kill < KILLS; kill++) {
        const before = workers.sent.length;
        await prescribe();
        await workers.kill(
          kill % 2 === 0 ? await handingOver(database) : await workers.atWork(before),
        );
      }
    });
    console.log(`${KILLS} kills, ${figures}`);
  },
);
