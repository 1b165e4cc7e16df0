// A process that takes the lock on FOLDER, says "held", and keeps it until it is killed.
import { lockFolder } from '../../src/platform/database/lock.js';

try {
  await lockFolder(process.env.FOLDER ?? '');
  console.log('held');
  setInterval(() => {}, 1_000_000);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
