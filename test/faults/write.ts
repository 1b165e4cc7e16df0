// A process that writes pairs of rows as fast as it can, and says the number of each pair once it
// is acknowledged.
import { writeSync } from 'node:fs';
import { openDatabase } from '../../src/platform/database/open.js';

const { DATABASE_URL: url, DATA_DIR: dataDir = '/nowhere', FROM = '1' } = process.env;
const { prisma } = await openDatabase({
  ...(url ? { url } : {}),
  dataDir,
  wait: 10,
  migrate: true,
});
for (let number = Number(FROM); ; number++) {
  await prisma.$transaction(async (tx) => {
    await tx.language.create({ data: { code: `left-${number}`, name: '' } });
    await tx.language.create({ data: { code: `right-${number}`, name: '' } });
  });
  writeSync(1, `${number}\n`); // at once: what stands in a buffer dies with the process
}
