import { GraphQLFloat } from 'graphql';
import { integer, scalar } from './scalar.js';

export const PageNumber = integer('PageNumber', 'Number of a page, from 1.', 1);
export const PageSize = integer('PageSize', 'How many rows at most: 1 to 100.', 1, 100);
export const Minutes = integer('Minutes', 'Minutes: 1 to 720.', 1, 720);
export const PixelCount = integer('PixelCount', 'Pixels: 0 to 100,000.', 0, 100_000);
export const DurationSeconds = integer(
  'DurationSeconds',
  'A length of time in seconds: 1 to 86,400.',
  1,
  86_400,
);
export const WaitMinutes = integer(
  'WaitMinutes',
  'Minutes until somebody is told again, or the next one is: 1 to 120.',
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
export const Days = integer('Days', 'Days: 1 to 3,650.', 1, 3_650);
export const Latitude = number('Latitude', 'Degrees north of the equator (WGS 84).', -90, 90);
export const Longitude = number('Longitude', 'Degrees east of Greenwich (WGS 84).', -180, 180);
export const Meters = integer('Meters', 'A distance in meters: 1 to 20,100,000.', 1, 20_100_000);
