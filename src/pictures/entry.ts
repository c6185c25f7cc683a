import { setImmediate as nextTurn } from 'node:timers/promises';
import { Resvg } from '@resvg/resvg-js';
import { move } from 'piscina';
import { INTER, interHas } from './inter.ts';

export interface Task {
  svg: string;
  /** Pixels of the PNG to one of the SVG. */
  scale: number;
  /** A directory of fonts for characters that Inter lacks. */
  fonts?: string | undefined;
}

const FAMILY = 'Inter';
const LINE_ENDS = /[\n\r\t]/g;

export default async function draw({ svg, scale, fonts }: Task): Promise<Uint8Array> {
  const isComplete = interHas(svg.replace(LINE_ENDS, ''));
  const png = new Resvg(svg, {
    font: {
      fontFiles: INTER,
      ...(!isComplete && fonts !== undefined && { fontDirs: [fonts] }),
      // Reading the names of all fonts takes a tenth of a second.
      loadSystemFonts: !isComplete,
      defaultFontFamily: FAMILY,
      sansSerifFamily: FAMILY,
    },
    fitTo: { mode: 'zoom', value: scale },
  })
    .render()
    .asPng();
  const copy = new Uint8Array(png);
  // resvg's buffers are freed between turns of the event loop, which piscina skips while tasks wait.
  await nextTurn();
  return move(copy) as Uint8Array;
}
