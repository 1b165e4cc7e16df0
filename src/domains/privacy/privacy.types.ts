import { JSONResolver } from 'graphql-scalars';
import { ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { WEIGHTS, Weight } from '../../core/cost.js';
import { DateTime } from '../../core/scalars.js';

@ObjectType({
  description:
    'What the service keeps about an account: everything but secrets, hashes and counters. Shown to ' +
    'the account alone.',
})
export class DataExport {
  @Visible(() => DateTime, { description: 'When it was put together, in UTC.' })
  exportedAt!: Date;

  @Weight(WEIGHTS.export)
  @Visible(() => JSONResolver, { description: 'The data by kind; times in UTC (ISO 8601).' })
  document!: Readonly<Record<string, unknown>>;
}
