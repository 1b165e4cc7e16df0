import { GraphQLFloat } from 'graphql';
import { type Decimal, decimalOf } from '../../platform/decimal.js';
import { integer, scalar } from './scalar.js';

export const PageNumber = integer('PageNumber', 'Number of a page, from 1.', 1);
export const PageSize = integer('PageSize', 'How many rows at most: 1 to 100.', 1, 100);
export const ReportSize = integer('ReportSize', 'Rows of a report: 1 to 10,000.', 1, 10_000);
export const TopSize = integer('TopSize', 'Leading values: 1 to 50.', 1, 50);
export const WindowSize = integer('WindowSize', 'Rows of a moving average: 2 to 366.', 2, 366);
export const Minutes = integer('Minutes', 'Minutes: 1 to 720.', 1, 720);
export const IntervalMinutes = integer(
  'IntervalMinutes',
  'Minutes between two doses: 1 to 10,080, which is a week.',
  1,
  10_080,
);
export const PixelCount = integer('PixelCount', 'Pixels: 0 to 100,000.', 0, 100_000);
export const ByteCount = integer('ByteCount', 'Bytes: 1 to 2,147,483,647.', 1, 2 ** 31 - 1);
export const DurationSeconds = integer(
  'DurationSeconds',
  'A length of time in seconds: 1 to 86,400.',
  1,
  86_400,
);
export const WaitMinutes = integer(
  'WaitMinutes',
  'Minutes until somebody is notified again, or the next one is: 1 to 120.',
  1,
  120,
);
export const RenotifyTimes = integer(
  'RenotifyTimes',
  'How often a reminder is repeated at most: 0 to 10.',
  0,
  10,
);

/** Makes a scalar of numbers of `least` to `most`. */
const number = (name: string, description: string, least: number, most: number) =>
  scalar<number>({
    name,
    description,
    jsonSchema: { type: 'number', minimum: least, maximum: most },
    expected: `a number of ${least} to ${most}`,
    servedAs: GraphQLFloat,
    parse: (value) =>
      typeof value === 'number' && value >= least && value <= most ? value : undefined,
  });

export const Score = number('Score', 'A score: -1,000,000 to 1,000,000.', -1e6, 1e6);
/**
 * Makes a scalar of amounts of `least` to `most`, with four decimals at most: 62.5 mcg is 0.0625
 * mg.
 */
const quantity = (name: string, least: number, most: number) => {
  const range = `${least} to ${most.toLocaleString('en')}`;
  return scalar<Decimal>({
    name,
    description: `An amount: ${range}, with at most four decimals.`,
    jsonSchema: { type: 'number', minimum: least, maximum: most },
    expected: `a number of ${range} with at most four decimals`,
    servedAs: GraphQLFloat,
    parse: (value) => {
      const fits = typeof value === 'number' && value >= least && value <= most;
      return fits ? decimalOf(value) : undefined;
    },
  });
};

export const DoseQuantity = quantity('DoseQuantity', 0.0001, 100_000);
export const StockQuantity = quantity('StockQuantity', 0, 1_000_000);
export const NoticeDays = integer('NoticeDays', 'Days before something: 0 to 90.', 0, 90);

export const Days = integer('Days', 'Days: 1 to 3,650.', 1, 3_650);
export const Latitude = number('Latitude', 'Degrees north of the equator (WGS 84).', -90, 90);
export const Longitude = number('Longitude', 'Degrees east of Greenwich (WGS 84).', -180, 180);
export const Meters = integer('Meters', 'A distance in meters: 1 to 20,100,000.', 1, 20_100_000);
export const Every = integer('Every', 'Every so many: 1 to 3,660.', 1, 3_660);
export const DoseMinutes = integer('DoseMinutes', 'Minutes: 30 to 540,000.', 30, 540_000);
export const DoseCount = integer('DoseCount', 'How many doses: 1 to 9,999.', 1, 9_999);
export const DosesADay = integer('DosesADay', 'How many doses a day: 1 to 48.', 1, 48);
export const AnchorMinutes = integer(
  'AnchorMinutes',
  'Minutes before (negative) or after: -720 to 720.',
  -720,
  720,
);
export const MonthDay = integer('MonthDay', 'A day of a month: 1 to 31; -1 is the last.', -1, 31);
