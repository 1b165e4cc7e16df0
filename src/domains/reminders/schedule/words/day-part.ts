import type { Anchor, DayTime } from './meaning.js';

/** A time of a day by its anchor. */
export type Part = Extract<DayTime, { anchor: Anchor }>;

/** What lies in a part of the day: the anchors, and the clock times from one to another. */
interface Cover {
  readonly anchors: readonly Anchor[];
  readonly from: string;
  readonly to: string;
}
const COVERS: Partial<Readonly<Record<Anchor, Cover>>> = {
  morning: { anchors: ['breakfast', 'wake'], from: '04:00', to: '11:59' },
  afternoon: { anchors: ['lunch'], from: '12:00', to: '17:59' },
  evening: { anchors: ['dinner', 'bedtime'], from: '17:00', to: '23:59' },
  night: { anchors: ['dinner', 'bedtime'], from: '18:00', to: '23:59' },
};

/** Returns whether an exact time lies in a part of the day: 8:00 and breakfast in the morning. */
export function covers(part: Part, exact: DayTime): boolean {
  const cover = COVERS[part.anchor];
  if (!cover) return false;
  if ('clock' in exact) return exact.clock >= cover.from && exact.clock <= cover.to;
  return cover.anchors.includes(exact.anchor);
}

/** Returns a clock time, HH:MM. */
export const clockAt = (hour: number, minute = '00'): string =>
  `${String(hour).padStart(2, '0')}:${minute}`;

/** Returns an hour of twelve in both halves of the day. Another hour has one. */
export const halvesOf = (hour: number, minute?: string): readonly { clock: string }[] =>
  (hour > 12 ? [hour] : [hour % 12, (hour % 12) + 12]).map((one) => ({
    clock: clockAt(one, minute),
  }));

/** Returns the hours of a number that lie in a part of the day: 20:00 for 8 in the evening. */
export const hoursIn = (part: Part, hour: number): readonly { clock: string }[] =>
  hour < 24 ? halvesOf(hour).filter((one) => covers(part, one)) : [];
