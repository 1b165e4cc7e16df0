import { stoppedAt } from '../../../src/app/tools/import.js';

const NOW = Date.parse('2026-03-10T10:00:00Z');

describe('The instant at which a source was stopped', () => {
  it('is one of the seven days before the import', () => {
    for (const text of ['2026-03-10T10:00:00Z', '2026-03-10T10:30:00.5+01:00', '2026-03-03T10:00Z'])
      expect(stoppedAt(text, NOW)).toStrictEqual(new Date(text));
  });

  it.each([
    ['2026-03-10T10:00:01Z', 'it lies in the future'],
    ['2026-03-03T09:59:59Z', 'it is more than 7 days ago'],
    ['2026-03-10T09:00:00', 'it is no instant such as 2026-03-10T10:00:00Z'],
    ['2026-13-10T09:00:00Z', 'it is no instant such as 2026-03-10T10:00:00Z'],
    ['yesterday', 'it is no instant such as 2026-03-10T10:00:00Z'],
    ['', 'it is no instant such as 2026-03-10T10:00:00Z'],
  ])('is refused in a sentence: %s', (text, reason) => {
    expect(() => stoppedAt(text, NOW)).toThrow(`--since ${text} is refused: ${reason}.`);
  });
});
