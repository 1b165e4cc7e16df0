import { hash } from 'node:crypto';

type Values = Readonly<Record<string, unknown>>;

/** How a block lays out those in it where it says nothing, and the gap that it then has. */
interface Usual {
  readonly layout?: Values;
  readonly gap?: string;
}

/** The blocks that lay out others. */
const LAID_OUT: Readonly<Record<string, Usual>> = {
  buttons: { layout: { type: 'flex' } },
  column: {},
  columns: { layout: { type: 'flex', flexWrap: 'nowrap' }, gap: '2em' },
  cover: {},
  group: {},
  quote: {},
};
const USUAL_GAP = '0.5em';

/** The class of each kind of layout. */
const KINDS: Readonly<Record<string, string>> = {
  default: 'is-layout-flow',
  constrained: 'is-layout-constrained',
  flex: 'is-layout-flex',
  grid: 'is-layout-grid',
};
const JUSTIFIED = {
  horizontal: ['left', 'right', 'center', 'space-between'],
  aligned: ['top', 'center', 'bottom', 'stretch'],
} as const;

/** How a block lays out those in it. */
export interface Layout {
  /** `default`, `constrained`, `flex` or `grid`; any other text has no class. */
  readonly type: string;
  readonly classes: readonly string[];
}

/**
 * Returns how a block lays out those in it, as the original shows it with a theme that says nothing of layouts;
 * undefined for a block that lays out none.
 */
export function layoutOf(name: string, attributes: Values): Layout | undefined {
  const usual = Object.hasOwn(LAID_OUT, name) ? LAID_OUT[name] : undefined;
  if (!usual) return undefined;
  const own = valuesOf(attributes.layout);
  const given = own ?? usual.layout ?? {};
  const layout = given.inherit || given.contentSize ? { ...given, type: 'constrained' } : given;
  const type = textOf(layout.type) || 'default';
  const kind = Object.hasOwn(KINDS, type) ? (KINDS[type] as string) : '';
  const orientation = textOf(own?.orientation);
  const justified = textOf(own?.justifyContent);
  return {
    type,
    classes: [
      ...(orientation ? [`is-${orientation}`] : []),
      ...(justified ? [`is-content-justification-${justified}`] : []),
      ...(own?.flexWrap === 'nowrap' ? ['is-nowrap'] : []),
      ...(kind ? [kind] : []),
      ...(hasStyle(type, layout)
        ? [`wp-container-core-${name}-is-layout-${sumOf(layout, usual, attributes)}`]
        : []),
      `wp-block-${name}-${kind}`,
    ],
  };
}

/** Returns whether a layout has a style of its own, which a class of its own then names. */
function hasStyle(type: string, layout: Values): boolean {
  const justified = textOf(layout.justifyContent);
  if (type === 'constrained')
    return Boolean(layout.contentSize || layout.wideSize) || ['left', 'right'].includes(justified);
  if (type !== 'flex') return type === 'grid';
  return (
    layout.flexWrap === 'nowrap' ||
    (textOf(layout.orientation) || 'horizontal') !== 'horizontal' ||
    JUSTIFIED.horizontal.some((one) => one === justified) ||
    JUSTIFIED.aligned.some((one) => one === layout.verticalAlignment)
  );
}

/** Returns what the original names the style of a layout by: a sum of all that it is made of. */
function sumOf(layout: Values, { gap = USUAL_GAP }: Usual, attributes: Values): string {
  const spacing = valuesOf(valuesOf(attributes.style)?.spacing) ?? null;
  const made = [layout, false, safeGap(spacing?.blockGap), false, gap, spacing];
  return hash('md5', asPhp(made)).slice(0, 8);
}

/** Returns a gap between blocks, without what is no plain value of CSS. */
function safeGap(gap: unknown): unknown {
  const safe = (value: unknown) =>
    typeof value === 'string' && /[\\(&=}]|\/\*/.test(value) ? null : (value ?? null);
  const sides = valuesOf(gap);
  return sides
    ? Object.fromEntries(Object.entries(sides).map(([side, value]) => [side, safe(value)]))
    : safe(gap);
}

/** Returns values as JSON as PHP writes it. */
const asPhp = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('{}', '[]')
    .replaceAll('/', '\\/')
    .replaceAll(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

const valuesOf = (value: unknown): Values | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Values)
    : undefined;

/** Returns a word of an attribute; empty for anything else. */
const textOf = (value: unknown): string =>
  typeof value === 'string' && /^[a-z][a-z-]{0,40}$/.test(value) ? value : '';
