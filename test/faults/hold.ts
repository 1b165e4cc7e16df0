// A process that takes the lock on FOLDER, says "held", and keeps it until it is killed; with BUSY it
// computes meanwhile, and answers nobody.
import { lockFolder } from '../../src/platform/database/lock.js';

try {
  await lockFolder(process.env.FOLDER ?? '');
  console.log('held');
  if (process.env.BUSY) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  setInterval(() => {}, 1_000_000);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
