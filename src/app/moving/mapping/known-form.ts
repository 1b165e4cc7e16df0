import type { Form } from '../../../domains/forms/form.types.js';

/** A form as far as its submissions need it. */
export type KnownForm = Pick<Form, 'id' | 'name' | 'scoreLeast' | 'scoreMost' | 'retentionDays'>;

/** A form that is imported, by its key in the original. */
export type SourceForm = Omit<KnownForm, 'id'> & { readonly key: string };
