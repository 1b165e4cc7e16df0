import { doseSubject } from '../../../src/domains/reports/catalogue/dose.subject.js';
import { refuseTooLarge } from '../../../src/domains/reports/reading-size.js';
import { useService } from '../../support/harness.js';

describe('The reports of a document', () => {
  const service = useService();

  /** Reads so many hashes in twenty reports of one document, each of another day of a year. */
  async function read(hashes: number, year: number): Promise<boolean> {
    const context = await service().context('analyst');
    try {
      for (let i = 1; i <= 20; i++)
        await refuseTooLarge(context, {
          ...{ subject: doseSubject, columns: [], distinct: true },
          pieces: [{ level: 'day', date: `${year}-01-${String(i).padStart(2, '0')}` }],
          size: { all: 1, hashes: hashes / 20 },
        });
      return true;
    } catch {
      return false;
    }
  }

  it('may read some 5 million hashes, give or take 2 %, however many they are', async () => {
    for (let year = 1; year <= 60; year++) {
      expect(await read(5_000_000, 2000 + year), `5 million, ${year}`).toBe(true);
      expect(await read(5_200_001, 2000 + year), `4 % more, ${year}`).toBe(false);
    }
  });
});
