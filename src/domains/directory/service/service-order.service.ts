import { refuse } from '../../../core/errors.js';
import type { OrderKey } from '../../../core/keyset.js';
import { byNumber, byText, Direction, type Order, ordering } from '../../../core/ordering.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { ServiceRow } from './service-row.service.js';

const { sql } = Prisma;

/** A row of the list, with the name that lists go by. */
export type Listed = ServiceRow & { readonly nameKey: string };

/** The distance in a line from the place that is searched around. */
const LINE = sql`s.line`;
const NUMBER = byNumber(sql`s.id`, ({ id }: Listed) => id);

/** What services may be ordered by. */
export const SERVICE_ORDERS = ordering<Listed>({
  noun: 'HealthcareService',
  what: 'services',
  choices: {
    ID: NUMBER,
    NAME: byText(
      'By name, without regard to case and accents.',
      sql`s.name_key`,
      ({ nameKey }) => nameKey,
    ),
    DISTANCE: {
      description: 'By the distance from `near`, which it needs.',
      value: LINE,
      type: 'float8',
      of: ({ line }) => line ?? 0,
    },
  },
  usual: { field: 'NAME', direction: Direction.ASC },
  ties: [NUMBER],
});

const NEAREST_FIRST: Order = { field: 'DISTANCE', direction: Direction.ASC };

/** Throws NEAR_INVALID for an order by distance without a place. */
export function refuseOrderWithoutPlace(
  orderBy: Order | null | undefined,
  near: object | null | undefined,
): void {
  if (orderBy?.field === 'DISTANCE' && !near)
    throw refuse('NEAR_INVALID', 'The order by distance needs a place: give `near`.', {
      param: 'orderBy',
    });
}

/** How a list of services goes. */
export interface ServiceOrder extends Pick<ReturnType<typeof SERVICE_ORDERS.of>, 'keysOf'> {
  /** Names the list in cursors. */
  readonly name: string;
  /** The keys of rows `s` that have their distance as `line`. */
  readonly keys: readonly OrderKey[];
  /** Whether the nearest come first, which an index finds. */
  readonly isNearestFirst: boolean;
}

/** Returns the order of a list, around a place or not. Throws NEAR_INVALID. */
export function serviceOrder(
  orderBy: Order | null | undefined,
  near: object | null | undefined,
): ServiceOrder {
  refuseOrderWithoutPlace(orderBy, near);
  const asked = orderBy ?? (near ? NEAREST_FIRST : null);
  const { name, order, keysOf } = SERVICE_ORDERS.of('services', asked);
  const isNearestFirst =
    asked?.field === NEAREST_FIRST.field && asked.direction === NEAREST_FIRST.direction;
  return { name: isNearestFirst ? 'services near' : name, keys: order, keysOf, isNearestFirst };
}

/** Returns the keys of rows whose distance is not read yet, but is this. */
export const keysAt = (keys: readonly OrderKey[], line: Prisma.Sql): readonly OrderKey[] =>
  keys.map((key) => (key.value === LINE ? { ...key, value: line } : key));
