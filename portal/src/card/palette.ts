import { PALETTES, type Palette } from '../../../src/charts/palette.ts';

/** Sets the custom properties that charts are drawn with: a theme changes without drawing again. */
export function setChartColours(): void {
  const { light, dark } = PALETTES;
  const set = (name: string, inLight: string, inDark: string) =>
    document.documentElement.style.setProperty(`--chart-${name}`, `light-dark(${inLight}, ${inDark})`);
  for (const name of Object.keys(light) as (keyof Palette)[]) {
    const [inLight, inDark] = [light[name], dark[name]];
    if (typeof inLight === 'string') set(name, inLight, inDark as string);
    else for (const [index, colour] of inLight.entries()) set(`${name}-${index + 1}`, colour, dark.series[index]!);
  }
}
