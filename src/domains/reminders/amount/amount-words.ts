const formats = new Map<string, Intl.NumberFormat>();
/** Most characters of a unit that people wrote. */
const LONGEST_UNIT = 20;

/**
 * Returns a name with the amount of a dose, such as "Ibuprofen (1.5 tablet)", by one of our
 * languages.
 */
export function withAmount(
  name: string,
  amount: { readonly value: number; readonly unit: string } | undefined,
  language: string,
): string {
  if (!amount) return name;
  const unit = [...amount.unit.trim()].slice(0, LONGEST_UNIT).join('');
  return `${name} (${`${numberIn(language).format(amount.value)} ${unit}`.trim()})`;
}

function numberIn(language: string): Intl.NumberFormat {
  const format =
    formats.get(language) ??
    new Intl.NumberFormat(language, { maximumFractionDigits: 3, useGrouping: false });
  formats.set(language, format);
  return format;
}
