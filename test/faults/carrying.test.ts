import { onServer, openServer } from './databases.js';
import { allCarried, check, enrol, handingOver, prescribe } from './prescriptions.js';
import { KILLS, Workforce } from './workforce.js';

onServer(
  'kill -9 of workers that hand over and deliver loses no occurrence, and sends none under two message ids',
  async (url) => {
    const database = await openServer(url);
    await enrol(database);
    const workers = await Workforce.hire(url);
    let made = 0;
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const before = workers.sent.length;
        made += await prescribe(database, workers.clock);
        await workers.kill(kill % 2 === 0 ? await handingOver(database) : await workers.atWork(before));
      }
      await allCarried(database);
    } finally {
      await workers.stop();
    }
    try {
      const { occurrences, repeated } = await check(database, workers, made);
      console.log(
        `${KILLS} kills, ${occurrences} occurrences, ${workers.sent.length} pushes, ${repeated} of them again after a kill`,
      );
    } finally {
      await database.close();
    }
  },
);
