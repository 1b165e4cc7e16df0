// The files that prove by very many cases and take most of the processor's time, the longest first.
// The gate and nightly run them on PostgreSQL; `npm test` and `npx jest` when they are asked for them, for a
// folder above them, or for `proofs`.
export const PROOFS = [
  'app/documentation',
  'core/access-matrix',
  'domains/reports/floor',
  'domains/reports/series',
  'domains/reports/spreads',
  'domains/reminders/schedule/written/written',
  'domains/reports/questions',
  'domains/reports/hidden',
  'domains/reports/closed-months',
  'domains/reports/demo-history',
  'domains/reports/cohorts',
  'app/string-bounds',
  'rest/ncsm',
  'platform/database/transactions',
  'faults/lock',
  'faults/signals',
  'platform/database/prepared',
  'domains/reminders/schedule/words/corpus',
  'domains/reminders/fhir-dosages',
  'app/account-tool',
  'domains/models/two-worlds',
  'fuzz/fuzz',
  'fuzz/operations',
  'fuzz/roots',
];
