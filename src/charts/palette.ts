/** Colours as values of SVG attributes. */
export interface Palette {
  text: string;
  muted: string;
  grid: string;
  surface: string;
  series: readonly string[];
  good: string;
  warning: string;
  bad: string;
}

export type Theme = 'light' | 'dark';

export const PALETTES: Record<Theme, Palette> = {
  light: {
    text: '#1a1d23',
    muted: '#5b6270',
    grid: '#e3e6eb',
    surface: '#ffffff',
    series: [
      ...['#3b5bdb', '#e8590c', '#0c8599', '#c05fc8', '#2f9e44'],
      ...['#8f1d14', '#77108b', '#7a5200', '#6d8af3', '#c9708f'],
    ],
    good: '#2b8a3e',
    warning: '#b25000',
    bad: '#c92a2a',
  },
  dark: {
    text: '#e9ecf1',
    muted: '#a2a9b6',
    grid: '#323844',
    surface: '#1b1f27',
    series: [
      ...['#7c98ff', '#ff922b', '#3bc9db', '#c257c0', '#69db7c'],
      ...['#e05a4f', '#8f6bea', '#e6cf52', '#c5d0ff', '#f5a3c0'],
    ],
    good: '#69db7c',
    warning: '#ffa94d',
    bad: '#ff8787',
  },
};

/**
 * CSS custom properties of the page, such as `--chart-text`: a change of theme needs no redrawing.
 */
export const CUSTOM_PROPERTIES: Palette = {
  text: 'var(--chart-text)',
  muted: 'var(--chart-muted)',
  grid: 'var(--chart-grid)',
  surface: 'var(--chart-surface)',
  series: PALETTES.light.series.map((_, index) => `var(--chart-series-${index + 1})`),
  good: 'var(--chart-good)',
  warning: 'var(--chart-warning)',
  bad: 'var(--chart-bad)',
};
