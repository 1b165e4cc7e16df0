import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of the process, in Prometheus format. */
export const registry = new Registry();

const latency = new Histogram({
  name: 'care_request_duration_seconds',
  help:
    'Time to answer a request, by method, route of the table (or graphql, or the path of a page as ' +
    'a pattern), operation and status.',
  labelNames: ['method', 'route', 'operation', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [registry],
});

/** The labels of an answered request, and how long it took. */
export interface ObservedRequest {
  readonly method: string;
  readonly route: string;
  readonly operation?: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

/** Counts a request that was answered. */
export function observeRequest({
  method,
  route,
  operation = '',
  status,
  seconds,
}: ObservedRequest): void {
  latency.observe({ method, route, operation, status }, seconds);
}

const fallbacks = new Counter({
  name: 'care_limits_fallbacks_total',
  help: 'Charges counted in memory although Redis is configured, because it did not answer.',
  registers: [registry],
});
const refusals = new Counter({
  name: 'care_limits_refused_total',
  help:
    'Charges refused because the points of a window were spent, or a wait had not passed, by ' +
    'policy.',
  labelNames: ['policy'],
  registers: [registry],
});
const shed = new Counter({
  name: 'care_requests_shed_total',
  help:
    'Requests answered 503 at once because the process had too much to do, by what there was too ' +
    'much of: delay, requests, address.',
  labelNames: ['reason'],
  registers: [registry],
});
const givenUp = new Counter({
  name: 'care_patience_given_up_total',
  help:
    'What was ended because the process waited for too much of it, by what it was: idle ' +
    'connections, bodies, answers.',
  labelNames: ['what'],
  registers: [registry],
});
const kept = new Counter({
  name: 'care_response_cache_total',
  help:
    'Requests without credentials for which a response may be kept, by outcome: hit, old (while ' +
    'it was made anew), wait (for one that was being made), miss.',
  labelNames: ['outcome'],
  registers: [registry],
});
const surprises = new Counter({
  name: 'care_surprises_total',
  help:
    'Errors that nothing caught: the process went on, and the log has them. Each is a mistake in ' +
    'the service.',
  registers: [registry],
});

/** Counts a request by what was known of its response. */
export function observeKept(outcome: 'hit' | 'old' | 'wait' | 'miss'): void {
  kept.inc({ outcome });
}

/** Counts a charge that was counted in memory because Redis did not answer. */
export function observeFallback(): void {
  fallbacks.inc();
}

/** Counts a charge that was refused. */
export function observeLimited(policy: string): void {
  refusals.inc({ policy });
}

const signInFailures = new Counter({
  name: 'care_sign_in_failures_total',
  help: 'Attempts to sign in with a wrong name or password.',
  registers: [registry],
});

/** Counts an attempt to sign in that failed. */
export function observeSignInFailure(): void {
  signInFailures.inc();
}

const breakGlass = new Counter({
  name: 'care_break_glass_total',
  help:
    'Attempts to open the record of a member who is not assigned to whoever opens it, by ' +
    'outcome: opened, refused.',
  labelNames: ['outcome'],
  registers: [registry],
});
const breakGlassAlarms = new Counter({
  name: 'care_break_glass_alarms_total',
  help: 'Times that administrators were notified of unusually many of these.',
  registers: [registry],
});
/** Result of an attempt to break the glass. */
export type BreakGlassOutcome = 'opened' | 'refused';

/** Counts an attempt to break the glass, and whether it raised an alarm. */
export function observeBreakGlass(outcome: BreakGlassOutcome, alarmed: boolean): void {
  breakGlass.inc({ outcome });
  if (alarmed) breakGlassAlarms.inc();
}

const assignments = new Counter({
  name: 'care_assignments_total',
  help: 'Members whom administrators assigned to a clinician.',
  registers: [registry],
});
const assignmentAlarms = new Counter({
  name: 'care_assignment_alarms_total',
  help: 'Times that administrators were notified of unusually many of these by one account.',
  registers: [registry],
});

/** Counts an assignment of a member to a clinician, and whether it raised an alarm. */
export function observeAssignment(alarmed: boolean): void {
  assignments.inc();
  if (alarmed) assignmentAlarms.inc();
}

/** Counts a request that was answered 503 because of overload. */
export function observeShed(reason: 'delay' | 'requests' | 'address'): void {
  shed.inc({ reason });
}

/** Counts a wait that was given up. */
export function observeGivenUp(what: string): void {
  givenUp.inc({ what });
}

/** Counts an error that nothing caught. */
export function observeUncaughtError(): void {
  surprises.inc();
}

/**
 * Milliseconds between two looks at the event loop for `nodejs_eventloop_lag_*`, which include
 * them. With prom-client's 10, looking is a third of what a process at rest does.
 */
const LOOK_EVERY = 100;

/** A database as the metrics see it. */
interface ObservedDatabase {
  readonly kind: string;
  readonly statements: number;
  /** Connections of its pool by state; absent where it has no pool. */
  readonly connections?: Readonly<Record<'used' | 'idle' | 'waiting' | 'most', number>>;
  /** Why it answers and takes no writes; absent where nobody asks. */
  refusal?(): Promise<string | undefined>;
}

/** Starts the metrics of Node in this process. */
export function observeNode(): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOK_EVERY });
}

/**
 * Starts the metrics of the process, of this version of the service, and of the database that it
 * uses.
 */
export function observeProcess(version: string, database: () => ObservedDatabase): void {
  observeNode();
  new Gauge({
    name: 'care_build_info',
    help: 'Always 1: the version of the service, of Node, and the kind of database.',
    labelNames: ['version', 'node', 'database'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version, node: process.versions.node, database: database().kind }, 1);
  new Gauge({
    name: 'care_database_connections',
    help:
      'Connections of the pool by state: used, idle, most (DATABASE_POOL); waiting: statements ' +
      'and transactions that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(database().connections ?? {}))
        this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'care_database_unwritable',
    help: '1 while the database answers and takes no writes: its disk is full, or it is read-only.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      this.set((await database().refusal?.()) ? 1 : 0);
    },
  });
  // A counter, which goes on when a worker ends.
  new Counter({
    name: 'care_database_statements',
    help: 'SQL statements sent since the start.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(database().statements);
    },
  });
}
