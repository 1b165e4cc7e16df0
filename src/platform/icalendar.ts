const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Octets of a line without its end (RFC 5545, 3.1). */
const LINE = 75;

/** An event with its times in UTC. */
export interface IcalendarEvent {
  /** Unique in the world (RFC 5545, 3.8.4.7). */
  readonly id: string;
  readonly stamp: Date;
  readonly start: Date;
  readonly end: Date;
  readonly summary: string;
  readonly description?: string | null | undefined;
  /** How many seconds before it its alarm sounds; undefined for none. */
  readonly alarm?: number | undefined;
  /** Whether the time counts as taken. */
  readonly isBusy: boolean;
}

/** Returns what begins a calendar (RFC 5545). Programs read it again after an hour. */
export const icalendarHead = (name: string, product: string): string =>
  lines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${product}`,
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ]);

/** What ends a calendar. */
export const ICALENDAR_END = 'END:VCALENDAR';

/** Returns the lines of an event. */
export function icalendarEvent(event: IcalendarEvent): string {
  const { id, stamp, start, end, description, alarm, isBusy } = event;
  const summary = escaped(event.summary);
  return lines([
    'BEGIN:VEVENT',
    `UID:${id}`,
    'SEQUENCE:0',
    `DTSTAMP:${instant(stamp)}`,
    `DTSTART:${instant(start)}`,
    `DTEND:${instant(end)}`,
    `SUMMARY:${summary}`,
    ...(description ? [`DESCRIPTION:${escaped(description)}`] : []),
    ...(alarm === undefined ? [] : alarmOf(alarm, summary)),
    `TRANSP:${isBusy ? 'OPAQUE' : 'TRANSPARENT'}`,
    `X-MICROSOFT-CDO-BUSYSTATUS:${isBusy ? 'BUSY' : 'FREE'}`,
    'END:VEVENT',
  ]);
}

const alarmOf = (seconds: number, summary: string) => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `TRIGGER:${seconds > 0 ? '-' : ''}${duration(seconds)}`,
  `DESCRIPTION:${summary}`,
  'END:VALARM',
];

const lines = (texts: readonly string[]) => texts.map((text) => `${folded(text)}\r\n`).join('');

/** 20260310T080000Z */
const instant = (date: Date) => `${date.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

/**
 * Returns a duration (RFC 5545, 3.3.6) without days, such as PT24H30M: some programs count days by their
 * own clocks.
 */
function duration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / HOUR), 'H'],
    [Math.floor((seconds % HOUR) / MINUTE), 'M'],
    [seconds % MINUTE, 'S'],
  ] as const;
  const time = parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join('');
  return `PT${time || '0S'}`;
}

/** Returns a text as a value (RFC 5545, 3.3.11). */
const escaped = (text: string) =>
  text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r\n?|\n/g, '\\n');

/** Folds a line at 75 octets, between characters. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LINE) return line;
  const parts: string[] = [];
  let [from, at, size] = [0, 0, 0];
  for (const character of line) {
    const octets = Buffer.byteLength(character);
    if (size + octets > LINE) {
      parts.push(line.slice(from, at));
      [from, size] = [at, 1]; // the blank of a folded line
    }
    at += character.length;
    size += octets;
  }
  return [...parts, line.slice(from)].join('\r\n ');
}
