import type { RequestContext } from '../../../core/context.js';
import { groundOf } from './earth.js';
import {
  type Accessibility,
  HealthcareService,
  HealthcareServicePlace,
  OpeningHours,
} from './healthcare-service.types.js';
import { type Hours, openingAt, rangesOf, type Segment, segmentsOf } from './week.js';

/** What is stored of a service, as its editors write it. */
export interface ServiceColumns {
  readonly externalId: string | null;
  readonly name: string;
  readonly description: string;
  readonly typeIds: readonly number[];
  readonly address: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly timeZone: string;
  readonly hours: readonly Hours[];
  readonly languageCodes: readonly string[];
  readonly phone: string | null;
  readonly email: string | null;
  readonly url: string | null;
  readonly accessibility: readonly Accessibility[];
}

/** A row as it is read: hours as JSON, and the distance in a line from the place asked for. */
export interface ServiceRow extends Omit<ServiceColumns, 'hours'> {
  readonly id: number;
  readonly hours: string;
  readonly updatedAt: Date;
  readonly version: number;
  readonly line: number | null;
}

/** Returns the columns of a row. */
export function columnsOfRow({ hours, ...row }: ServiceRow): ServiceColumns {
  const { id: _id, updatedAt: _at, version: _version, line: _line, ...columns } = row;
  return { ...columns, hours: JSON.parse(hours) as Hours[] };
}

/** Returns rows as GraphQL shows them at this moment. */
export function servicesOf(
  { deps }: RequestContext,
  rows: readonly ServiceRow[],
): HealthcareService[] {
  const now = deps.clock();
  const segments = new Map<string, Segment[]>();
  return rows.map((row) => {
    const { line, address, latitude, longitude, hours: _, externalId: __, ...shown } = row;
    const { hours, timeZone } = columnsOfRow(row);
    if (!segments.has(timeZone)) segments.set(timeZone, segmentsOf(now, timeZone));
    const opening = openingAt(rangesOf(hours), now, segments.get(timeZone) ?? []);
    return Object.assign(new HealthcareService(), shown, {
      place: Object.assign(new HealthcareServicePlace(), { address, latitude, longitude }),
      distanceMeters: line === null ? null : Math.round(groundOf(line)),
      openingHours: hours.map((each) => Object.assign(new OpeningHours(), each)),
      isOpen: opening?.isOpen ?? null,
      opensAt: opening?.opensAt ?? null,
      closesAt: opening?.closesAt ?? null,
    });
  });
}
