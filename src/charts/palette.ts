/** Colours as SVG attributes take them. */
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
    series: ['#3b5bdb', '#0b7285', '#9c36b5', '#b25000', '#2b8a3e', '#c2255c', '#5f3dc4', '#6b6b1f'],
    good: '#2b8a3e',
    warning: '#b25000',
    bad: '#c92a2a',
  },
  dark: {
    text: '#e9ecf1',
    muted: '#a2a9b6',
    grid: '#323844',
    surface: '#1b1f27',
    series: ['#7c98ff', '#3bc9db', '#da77f2', '#ffa94d', '#69db7c', '#faa2c1', '#b197fc', '#d8d47a'],
    good: '#69db7c',
    warning: '#ffa94d',
    bad: '#ff8787',
  },
};

/** The page's custom properties, `--chart-text` and so on: a theme changes without drawing again. */
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
