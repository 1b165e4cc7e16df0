import { hasClocks } from '../../../platform/zone.js';
import { packagedNames } from '../../../platform/zone-table.js';
import { SHARED_BY } from '../noise.js';
import { listed } from './listed.service.js';

const { zones, countries } = packagedNames();
const folded = new Set(zones.map((zone) => zone.toLowerCase()));
const OFFSET = /^[+-]\d\d:[0-5]\d$/;

/**
 * Returns whether an account may have a zone that is not listed: an offset, or one that Node alone
 * knows, such as the abbreviations of older accounts. One that is listed in other letters is none.
 */
const isUnlisted = (zone: string) =>
  OFFSET.test(zone) || (!folded.has(zone.toLowerCase()) && hasClocks(zone));

/** What neither list has may be of one account, so it is no value until as many share it as a text. */
const sharedBy = SHARED_BY;

/** Zones by their IANA names, also by earlier ones. */
export const ZONES = listed({
  ...{ subject: 'account', name: 'zone', values: zones },
  ...{ isKnown: isUnlisted, sharedBy },
});

/** Countries that have zones. */
export const COUNTRIES = listed({
  subject: 'account',
  name: 'country',
  values: countries,
  sharedBy,
});
