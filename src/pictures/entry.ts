import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Resvg } from '@resvg/resvg-js';
import { move } from 'piscina';
import { cardSvg } from '../charts/card.ts';
import { PALETTES } from '../charts/palette.ts';
import type { PictureOptions } from '../core/analytics/dashboards/pictures.ts';
import type { RenderedCard } from '../core/analytics/dashboards/render.ts';
import { INTER, interHas } from './inter.ts';

export interface PictureTask {
  card: RenderedCard;
  options: PictureOptions;
  type: 'svg' | 'png';
}

interface Drawn {
  svg: string;
  /** Pixels of the PNG per pixel of the SVG. */
  scale: number;
}

const FAMILY = 'Inter';
const LINE_ENDS = /[\n\r\t]/g;

const collectGarbage = exposedGc();

export default async function draw({ card, options, type }: PictureTask): Promise<string | Uint8Array> {
  const { width, height, theme, locale, scale } = options;
  const svg = cardSvg(card, { width, height, palette: PALETTES[theme], locale });
  if (type === 'svg') return svg;
  const png = pngOf({ svg, scale });
  // The pixels are freed with their JavaScript object. V8 counts it as small, so the collection
  // must be forced.
  collectGarbage({ type: 'minor' });
  // They are freed between turns of the event loop, which piscina skips while tasks wait.
  await nextTurn();
  return move(png) as Uint8Array;
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
