import { z } from 'zod';
import type { RenderedCard } from './render.ts';

const SIZES = { width: { min: 320, max: 1_600, usual: 640 }, height: { min: 200, max: 1_200, usual: 360 } };

function pixels({ min, max, usual }: { min: number; max: number; usual: number }) {
  const range = `must be a whole number from ${min} to ${max}`;
  return z
    .int(range)
    .min(min, range)
    .max(max, range)
    .default(usual)
    .describe(`Only for pictures, in pixels: ${min} to ${max}.`);
}

/** Query parameters of a picture. */
export const pictureShape = {
  width: pixels(SIZES.width),
  height: pixels(SIZES.height),
  scale: z
    .int('must be 1 or 2')
    .min(1, 'must be 1 or 2')
    .max(2, 'must be 1 or 2')
    .default(1)
    .describe('Only for PNG: 1, or 2 to double its pixels in both directions.'),
  theme: z.enum(['light', 'dark'], 'must be light or dark').default('light').describe('Colours of a picture.'),
  locale: z
    .string()
    .max(100)
    .refine(isLocale, 'must be a BCP 47 language tag such as en, pt-BR or de-CH')
    .default('en')
    .describe('BCP 47 language tag for the numbers and dates in a picture.'),
};
const pictureSchema = z.object(pictureShape);
export interface PictureOptions extends z.output<typeof pictureSchema> {
  /** For fairness: pictures of tenants are drawn in turn. */
  tenantId?: string | undefined;
}

export interface CardPictures {
  /** An SVG document. Rejects with `unavailable` when too many pictures wait. */
  svg(card: RenderedCard, options: PictureOptions, signal?: AbortSignal): Promise<string>;
  /**
   * Rejects with `unavailable` when too many pictures wait. The bytes are shared: do not change
   * them.
   */
  png(card: RenderedCard, options: PictureOptions, signal?: AbortSignal): Promise<Uint8Array>;
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
