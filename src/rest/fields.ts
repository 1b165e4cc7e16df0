/**
 * Returns the words of a list parameter such as `_fields`; undefined when it is absent or names
 * nothing.
 */
export function listOf(value: unknown): string[] | undefined {
  const words = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(/[\s,]+/)
      : [];
  const named = words.filter((word): word is string => typeof word === 'string' && word !== '');
  return named.length > 0 ? named : undefined;
}

/**
 * Returns what `_fields` keeps of a body that no operation made: names, and names within objects.
 * Of a list it keeps no elements.
 */
export function keepFields(body: unknown, fields: readonly string[] | undefined): unknown {
  if (!fields || typeof body !== 'object' || body === null) return body;
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const within = fields
      .filter((field) => field.startsWith(`${name}.`))
      .map((field) => field.slice(name.length + 1));
    if (fields.includes(name)) kept[name] = value;
    else if (within.length > 0) kept[name] = Array.isArray(value) ? [] : keepFields(value, within);
  }
  return kept;
}
