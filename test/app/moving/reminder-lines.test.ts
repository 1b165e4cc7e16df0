import type { ImportRun } from '../../../src/app/moving/kind.js';
import { APPOINTMENT_LINES } from '../../../src/app/moving/lines/reminder.lines.js';

const NOW = '2026-03-10T10:00:30Z';
const run = { context: { now: () => new Date(NOW) } } as unknown as ImportRun;
const LINE = {
  kind: 'appointment',
  ...{ frequencyType: null, schedule: null, zone: 'Europe/Berlin', times: ['09:00'] },
  ...{ untilAt: null, leadSeconds: 86_400, scheduled: true, recognized: true, deletedAt: null },
};
const planned = (line: object) => {
  const filled = APPOINTMENT_LINES.fill?.({ ...LINE, ...line }, run);
  return JSON.parse(JSON.stringify(filled));
};

describe('Reminders of an export', () => {
  it('ring from the minute after their import on', () => {
    expect(planned({ startLocal: '2026-03-11T12:00:00' })).toStrictEqual({
      kind: 'appointment',
      planned_until: '2026-03-10T10:01:00.000Z',
      plan_at: '2026-03-10T10:01:00.000Z',
    });
  });

  it('ring no appointment again whose lead began before', () => {
    expect(planned({ startLocal: '2026-03-11T09:00:00' })).toMatchObject({
      planned_until: '2026-03-11T08:00:00.001Z',
    });
  });

  it('are taken also where their start cannot be read', () => {
    expect(planned({ startLocal: 'soon' })).toMatchObject({
      planned_until: '2026-03-10T10:01:00.000Z',
    });
  });

  it('are not planned where they were deleted', () => {
    expect(planned({ startLocal: '2026-03-11T09:00:00', deletedAt: NOW })).toMatchObject({
      plan_at: null,
    });
  });
});
