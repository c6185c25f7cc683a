import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Resvg } from '@resvg/resvg-js';
import { move } from 'piscina';
import { cardSvg } from '../charts/card.ts';
import { PALETTES } from '../charts/palette.ts';
import { tabSvg } from '../charts/tab/svg.ts';
import type { SharedTab, TabPictureOptions } from '../core/analytics/dashboards/links/schema.ts';
import type { PictureOptions } from '../core/analytics/dashboards/pictures.ts';
import type { RenderedCard } from '../core/analytics/dashboards/render.ts';
import { provideTranslations } from '../language/catalogues.ts';
import { charts } from '../language/pt/charts.ts';

provideTranslations('pt', charts);

/** Paths of TTF files: resvg cannot read WOFF. */
export const INTER = [
  import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
].map((url) => fileURLToPath(url));

let interCharacters: Set<number> | undefined;

/** Whether Inter has every character of the text. */
export function interHas(text: string): boolean {
  interCharacters ??= charactersOf(readFileSync(INTER[0]!));
  for (const character of text) if (!interCharacters.has(character.codePointAt(0)!)) return false;
  return true;
}

const DIRECTORY_OFFSET = 12;
const RECORD_BYTES = 16;
const GROUP_BYTES = 12;

/** The code points in the `cmap` table of a TrueType font. */
export function charactersOf(font: Buffer): Set<number> {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => DIRECTORY_OFFSET + index * RECORD_BYTES);
  const cmap = font.readUInt32BE(tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap')! + 8);
  const subtables = Array.from(
    { length: font.readUInt16BE(cmap + 2) },
    (_, index) => cmap + font.readUInt32BE(cmap + 8 + index * 8),
  );
  // Format 12 has all of Unicode in groups of consecutive characters.
  const groups = subtables.find((at) => font.readUInt16BE(at) === 12)!;
  const characters = new Set<number>();
  for (let index = 0; index < font.readUInt32BE(groups + 12); index++) {
    const at = groups + 16 + index * GROUP_BYTES;
    for (let one = font.readUInt32BE(at); one <= font.readUInt32BE(at + 4); one++) characters.add(one);
  }
  return characters;
}

export type PictureTask =
  | { card: RenderedCard; options: PictureOptions; type: 'svg' | 'png' }
  | { tab: SharedTab; options: Omit<TabPictureOptions, 'type'>; type: 'svg' | 'png' };

interface Drawn {
  svg: string;
  /** Pixels of the PNG per pixel of the SVG. */
  scale: number;
}

const FAMILY = 'Inter';
const LINE_ENDS = /[\n\r\t]/g;

const collectGarbage = exposedGc();

export default async function draw(task: PictureTask): Promise<string | Uint8Array> {
  const svg = svgOf(task);
  if (task.type === 'svg') return svg;
  const png = pngOf({ svg, scale: task.options.scale });
  // The pixels are freed with their JavaScript object. V8 counts it as small, so the collection
  // must be forced.
  collectGarbage({ type: 'minor' });
  // They are freed between turns of the event loop, which piscina skips while tasks wait.
  await nextTurn();
  return move(png) as Uint8Array;
}

/** Pixels of a tab's picture. */
const TAB_WIDTH = 1_280;

function svgOf(task: PictureTask): string {
  const { theme, locale } = task.options;
  const look = { palette: PALETTES[theme], locale };
  if ('tab' in task) return tabSvg(task.tab, { width: TAB_WIDTH, ...look });
  const { width, height } = task.options;
  return cardSvg(task.card, { width, height, ...look });
}

export function pngOf({ svg, scale }: Drawn): Uint8Array {
  const isComplete = interHas(svg.replace(LINE_ENDS, ''));
  const picture = new Resvg(svg, {
    font: {
      fontFiles: INTER,
      // Finding all fonts takes long on some machines.
      loadSystemFonts: !isComplete,
      defaultFontFamily: FAMILY,
      sansSerifFamily: FAMILY,
    },
    fitTo: { mode: 'zoom', value: scale },
  });
  return new Uint8Array(picture.render().asPng());
}

/** A thread cannot be started with flags of V8, so the flag is set here. */
function exposedGc(): (options: { type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as (options: { type: 'minor' }) => void;
}
