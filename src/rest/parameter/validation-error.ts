/** How messages name a part of a parameter: its key within what holds it. */
export type Key = string | number | undefined;

/** Why a value does not fit. `code` is absent for "Invalid parameter." */
export interface ValidationError {
  code?: string;
  message: string;
  data: unknown;
}

/** The value as it is read, or why it does not fit; absent: it is ignored. */
export type Checked = { value: unknown } | { validationError: ValidationError } | { absent: true };

/** `slug[3]`, `meta[footnotes]`. */
export const label = (parent: string, key: Key) =>
  key === undefined ? parent : `${parent}[${key}]`;

/** `1 item`, `2 items`. */
export const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** `a, b, and c`. */
export const sentence = (values: readonly unknown[]) =>
  values.length < 3
    ? values.join(' and ')
    : `${values.slice(0, -1).join(', ')}, and ${values.at(-1)}`;

/** Returns a validation error with its code. */
export const validationError = (code: string, message: string, data: unknown = null): Checked => ({
  validationError: { code, message, data },
});

/** Returns the validation error of a value that is of another type. */
export function untyped(parent: string, key: Key, type: string): Checked {
  const param = label(parent, key);
  return validationError('rest_invalid_type', `${param} is not of type ${type}.`, { param });
}
