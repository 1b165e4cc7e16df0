import type { MedicineTexts, NewMedicine } from './reminder.texts.js';

/**
 * Returns the texts of which a medicine is planned. A start at midnight beside an end that is a
 * date counts as a date, since programs send it so (`courseOf`). Where the clock time is meant, the
 * last minute of the end is named: that is the same end.
 */
export function planned<T extends Pick<MedicineTexts, 'endDate'> & Pick<NewMedicine, 'timed'>>(
  texts: T,
): T {
  const { endDate, timed } = texts;
  const isDate = /^\d{4}-\d\d-\d\d$/.test(endDate ?? '');
  return timed && isDate ? { ...texts, endDate: `${endDate}T23:59:00` } : texts;
}
