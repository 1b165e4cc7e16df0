/** The account that content of missing authors belongs to. */
export const NOBODY = 0;
/** What has no date gets this one. */
export const NO_DATE = new Date(0).toISOString();
export const DATELESS = 'it has no date: it has that of 1970-01-01';
