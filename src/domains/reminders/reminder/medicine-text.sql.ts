import type { Reminder } from '../../../generated/prisma/client.js';
import type { CreateMedicineReminderInput } from './reminder.inputs.js';

/**
 * The texts of a medicine that are stored as they were sent, and their columns. From this table
 * derive what inputs copy, what rows are written and read with, and what finds a retry.
 */
export const MEDICINE_TEXTS = {
  name: 'name',
  description: 'description',
  medicineType: 'medicine_type',
  createdDate: 'created_date',
} as const satisfies Partial<Record<keyof Reminder & keyof CreateMedicineReminderInput, string>>;

/** The field of a text that is stored as it was sent. */
export type MedicineText = keyof typeof MEDICINE_TEXTS;

/** The texts of a medicine that are stored as they were sent. */
export type StoredTexts = { readonly [Field in MedicineText]?: string | null | undefined };

/** Takes the texts that are stored as they were sent out of an input. */
export const storedTexts = (input: StoredTexts): StoredTexts =>
  Object.fromEntries(
    (Object.keys(MEDICINE_TEXTS) as MedicineText[]).map((field) => [field, input[field]]),
  );
