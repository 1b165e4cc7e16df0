import type { Route } from '../router.js';

export const reports: readonly Route[] = [
  { on: 'GET /v1/report/chart', run: 'GetReportChart' },
  { on: 'GET /v1/report/statistics', run: 'GetReportStatistics' },
];
