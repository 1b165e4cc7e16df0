import { DAY } from '../../reminders/schedule/walk.js';
import type { Frequency } from './frequency.js';
import type { Said } from './script.js';

/*
 * What the oracle knows of members and their reminders. Instants and local times are in
 * milliseconds; local times as if UTC.
 */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const GRACE = 2 * HOUR;
/** How far from now an offset in a date still tells where a member is. */
export const ABOUT_NOW = 48 * HOUR;
/** So late a push is not sent any more. */
export const TOO_LATE = 30 * MINUTE;
export const EVER = Number.POSITIVE_INFINITY;
/** Half of a year: the longest distance between two doses. */
export const LONGEST_DISTANCE = 183 * DAY;

export interface Member {
  readonly id: number;
  readonly name: string;
  profile?: string | undefined;
  /** What a header taught (a zone), or an offset in a date. */
  learned?: string | undefined;
  usual: ReadonlyMap<number, readonly string[]>;
  repeat: { minutes: number | null; times: number };
  quiet?: { from: string; to: string } | undefined;
  tellCarers: boolean;
  readonly carers: Set<Member>;
  /** Devices that pushes go to. */
  readonly devices: Set<string>;
}

/** What is asked for: a medicine, or an appointment, which comes once. */
export interface Asked {
  readonly frequency: Frequency | 'appointment';
  readonly start: Said | undefined;
  readonly end: Said | undefined;
}

export interface Start {
  readonly local: number;
  readonly clock: boolean;
  /** An offset named the instant. */
  readonly bound: boolean;
  /** That instant, where a local time could be another. */
  readonly at?: number | undefined;
  /** None was given: it is the minute at which it was made, then the first time. */
  readonly open?: boolean | undefined;
  /** As it was sent, with an offset other than of UTC. */
  readonly sent?: Said | undefined;
  /** As it was sent, whatever it was understood as. */
  readonly said?: Said | undefined;
}

/** How that is understood at a time. */
export interface Understood {
  readonly frequency: Frequency;
  readonly kind: Frequency['kind'] | 'appointment';
  readonly zone: string;
  readonly start: Start;
  readonly times: readonly string[];
  /** The times are the member's usual ones. */
  readonly usual: boolean;
  readonly end?: Said | undefined;
  /** The last instant at which it may come. */
  readonly until: number;
}

/** A plan, and what of it counts. */
export interface Plan {
  readonly of: Understood;
  /** Local times and instants: from, included, to, not included. */
  readonly fromLocal: number;
  readonly fromAt: number;
  toLocal: number;
  toAt: number;
  /** What comes before is on the calendar, but was never to be told. */
  readonly since: number;
}

/** What a member is still to be told of one coming. */
export interface Telling {
  next?: Next | undefined;
  /** What was to come next when it was answered. */
  withheld?: Next | undefined;
  carersAt?: number | undefined;
  told: boolean;
  carersTold: boolean;
  /**
   * Whether carers are told is left open: an answer was taken back late, and the jobs stood still
   * from before its time.
   */
  looseCarers: boolean;
}

export interface Next {
  readonly due: number;
  readonly kind: 'first' | 'again' | 'snooze';
  readonly times: number;
}

export interface Reminder {
  readonly id: number;
  readonly member: Member;
  readonly appointment: boolean;
  plans: Plan[];
  /** How long before its time an appointment is told, and when that was last arranged. */
  lead: number;
  arranged: number;
  readonly made: number;
  attended: boolean;
  deleted: boolean;
  deletedAt: number;
  /** What does not come, since another dose takes its place. */
  withheld: ReadonlySet<number>;
  readonly answers: Map<number, 'taken' | 'skipped'>;
  /** Doses that were logged apart. */
  readonly extras: number[];
  readonly tellings: Map<number, Telling>;
  occurrences?: ReadonlyMap<number, boolean> | undefined;
}

export interface Coming {
  readonly reminder: Reminder;
  readonly at: number;
}

/** One push about one coming to one device. */
export interface Push {
  readonly device: string;
  readonly reminder: number;
  readonly at: number;
  /** To a carer, of a coming that was missed. */
  readonly notice: boolean;
  readonly silent: boolean;
}

export interface Event {
  readonly reminder: number;
  readonly at: number;
  readonly status: string;
}
