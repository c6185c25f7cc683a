import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { BUILD } from '../paths.ts';

/** The files that the pictures of cards are drawn with: pages and pictures have one type. */
const WEIGHTS = {
  400: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  600: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
};

/** By file: ranges of code points, as in the `unicode-range` of portal/src/style/fonts.css. */
const SUBSETS = {
  latin: [
    [0x20, 0x7e],
    [0xa0, 0xff],
    [0x2010, 0x2027],
    [0x2030, 0x203a],
    [0x20ac],
    [0x2190, 0x2193],
    [0x2212],
    [0x25b2, 0x25bc],
    [0x2713],
  ],
  more: [
    [0x100, 0x2ff],
    [0x370, 0x52f],
    [0x1e00, 0x1fff],
    [0x2070, 0x20ab],
    [0x20ad, 0x20bf],
    [0x2116],
    [0x2122],
    [0x2260, 0x2265],
  ],
};

/** Kerning and figures of one width: the other features of Inter double the bytes. */
const FEATURES = ['kern', 'tnum'];

/** Writes Inter as web fonts to `build/fonts`, from which Vite takes them. */
export async function writeFonts(): Promise<void> {
  const directory = join(BUILD, 'fonts');
  mkdirSync(directory, { recursive: true });
  for (const [weight, path] of Object.entries(WEIGHTS)) {
    const font = readFileSync(fileURLToPath(import.meta.resolve(path)));
    for (const [subset, ranges] of Object.entries(SUBSETS)) {
      const options = { targetFormat: 'woff2', keepFeatures: FEATURES, noHinting: true } as const;
      const bytes = await subsetFont(font, ranges.map(charactersOf).join(''), options);
      writeFileSync(join(directory, `inter-${weight}-${subset}.woff2`), bytes);
    }
  }
}

function charactersOf([first, last = first]: number[]): string {
  return String.fromCodePoint(...Array.from({ length: last! - first! + 1 }, (_, index) => first! + index));
}
