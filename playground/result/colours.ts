import type { Drawable } from '../../src/platform/pictures/points.js';
import { MOST_SERIES } from '../../src/platform/pictures/series.js';
import { OTHERS } from '../../src/platform/pictures/table.js';

/** Twelve colours and grey for others, which are told apart on paper and on screens. */
const COLOURS = {
  light: [
    ...['#1f6fb2', '#c25e00', '#2e7d32', '#b3261e', '#6a4fb3', '#7a4a2b', '#b0328a', '#00757f'],
    ...['#7d7400', '#3d4f9e', '#a04060', '#4f6f3f', '#6b7480'],
  ],
  dark: [
    ...['#6cb2ef', '#ffab5c', '#7fd083', '#ff8a80', '#b9a3ff', '#d6a988', '#f48fd0', '#5fd3dc'],
    ...['#d9cf4f', '#9fb0ff', '#ff9db8', '#b0d69a', '#9aa4b0'],
  ],
} as const;

/** Returns the colours of the series of a drawing, in their order; others are grey. */
export const coloursOf = ({ names, folded }: Drawable, isDark: boolean): readonly string[] => {
  const colours = COLOURS[isDark ? 'dark' : 'light'];
  return names.map((name, index) => {
    const isOthers = name === OTHERS || (folded > 0 && index === names.length - 1);
    return colours[isOthers ? MOST_SERIES : index % MOST_SERIES] ?? '';
  });
};
