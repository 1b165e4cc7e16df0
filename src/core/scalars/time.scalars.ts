import { GraphQLError, GraphQLScalarType } from 'graphql';
import {
  GraphQLDateTimeISO,
  GraphQLDuration,
  GraphQLLocalDate,
  GraphQLLocalTime,
  GraphQLTimeZone,
} from 'graphql-scalars';
import { isZone } from '../../platform/zone.js';
import { isStorable, parseSiteTime, type SiteMoment } from '../site-time.js';
import { fitsText, scalar, servedText, writtenText } from './scalar.js';

export const TimeZone = scalar<string>({
  name: 'TimeZone',
  description: 'A time zone by its IANA name, such as Europe/Berlin.',
  jsonSchema: { type: 'string' },
  expected: 'the IANA name of a time zone, such as Europe/Berlin',
  servedAs: GraphQLTimeZone,
  parse: (value) => (typeof value === 'string' && isZone(value) ? value : undefined),
});

export const TimeOfDay = scalar<string>({
  name: 'TimeOfDay',
  description:
    'A time of day by a clock of 24 hours: HH:MM, 00:00 to 23:59. Seconds may be given as 00.',
  jsonSchema: { type: 'string' },
  expected: 'a time of day such as 08:00',
  servedAs: GraphQLLocalTime,
  parse: (value) =>
    /^((?:[01]\d|2[0-3]):[0-5]\d)(?::00(?:\.000)?)?$/.exec(
      typeof value === 'string' ? value : '',
    )?.[1],
});

/** A day in the calendar of some zone. */
export const LocalDate = GraphQLLocalDate;

/** A date as GraphQL callers give it; over REST it is any text, which the domain parses. */
export const DateText = scalar<string>({
  name: 'DateText',
  description: 'A date, or a date and time, as somebody wrote it: at most 255 bytes.',
  jsonSchema: { type: 'string' },
  expected: 'a text of at most 255 bytes without NUL',
  servedBound: '',
  servedAs: GraphQLLocalDate,
  parse: (value) => fitsText(value, 0, 255),
});

/** The date of a reminder; of the REST editions whatever they send, which is kept. */
export const WrittenDate = scalar<string>({
  name: 'WrittenDate',
  description: 'A date, or a date and time, as somebody wrote it: at most 64 KiB.',
  jsonSchema: {},
  expected: 'a text of at most 65,536 bytes without NUL',
  servedBound: '',
  servedAs: GraphQLLocalDate,
  parse: writtenText,
});

const Duration = new GraphQLScalarType({
  ...GraphQLDuration.toConfig(),
  description: 'A duration in days, hours and minutes, as ISO 8601 writes it: P1DT2H30M.',
});

/** A duration as GraphQL callers give it; of the REST editions any text, which the domain reads. */
export const DurationText = scalar<string>({
  name: 'DurationText',
  description: 'A duration, as somebody wrote it: at most 64 KiB.',
  jsonSchema: {},
  expected: 'a text of at most 65,536 bytes without NUL',
  servedBound: '',
  servedAs: Duration,
  parse: writtenText,
});

/** Where only an offset is known, there is no IANA zone to name. */
const Clocks = servedText(
  'ClockZone',
  'By whose clocks: the IANA name of a time zone, such as Europe/Berlin, or an offset such as ' +
    '+02:00 while no zone is known.',
);

export const ClockZone = scalar<string>({
  name: 'ClockZoneName',
  description: 'The IANA name of a time zone, or an offset such as +02:00.',
  jsonSchema: { type: 'string' },
  expected: 'the IANA name of a time zone, or an offset',
  servedAs: Clocks,
  parse: (value) => (typeof value === 'string' ? value : undefined),
});

export const SiteTime = scalar<SiteMoment>({
  name: 'SiteTime',
  description:
    'Date and time as YYYY-MM-DDTHH:MM:SS. Without an offset it is the clock of the site; ' +
    'with one (Z, +02:00) it is converted.',
  jsonSchema: { type: 'string', format: 'date-time' },
  expected: 'a date and time such as 2026-03-01T08:00:00',
  parse: parseSiteTime,
});

export const GmtTime = scalar<SiteMoment>({
  name: 'GmtTime',
  description:
    'Date and time as YYYY-MM-DDTHH:MM:SS. Without an offset it is GMT; with one it is converted.',
  jsonSchema: { type: 'string', format: 'date-time' },
  expected: 'a date and time such as 2026-03-01T08:00:00',
  parse: (value) => {
    const moment = parseSiteTime(value);
    return moment && { offset: 0, ...moment };
  },
});

export const ClockTime = scalar<string>({
  name: 'ClockTime',
  description: 'Date and time by some clock, without an offset: YYYY-MM-DDTHH:MM:SS.',
  jsonSchema: { type: 'string', format: 'date-time' },
  expected: 'a date and time without an offset',
  parse: (value) => (typeof value === 'string' ? value : undefined),
});

const DATE_TIME = GraphQLDateTimeISO.toConfig();

/** Returns an instant that the database can hold. Throws for any other. */
function storable(value: Date): Date {
  if (isStorable(value.getTime())) return value;
  throw new GraphQLError('DateTime must be in the years 1 to 9999.');
}

/**
 * An instant, as RFC 3339 writes it, in UTC. It is graphql-scalars' DateTimeISO under its usual
 * name.
 */
export const DateTime = new GraphQLScalarType<Date, unknown>({
  ...DATE_TIME,
  name: 'DateTime',
  description: 'An instant in UTC, as RFC 3339 writes it: 2026-03-01T07:00:00.000Z.',
  parseValue: (value) => storable(DATE_TIME.parseValue(value)),
  parseLiteral: (node, variables) => storable(DATE_TIME.parseLiteral(node, variables)),
});
