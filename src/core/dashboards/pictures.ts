import type { RenderedCard } from './render.ts';

export interface PictureOptions {
  /** Pixels, 320 to 1600. */
  width: number;
  /** Pixels, 200 to 1200. */
  height: number;
  /** Pixels of a PNG to one of `width`. */
  scale: 1 | 2;
  theme: 'light' | 'dark';
  /** A BCP 47 tag. */
  locale: string;
}

export interface PngOptions extends PictureOptions {
  /** Tenants take turns. */
  tenantId?: string | undefined;
}

export interface CardPictures {
  /** An SVG document. */
  svg(card: RenderedCard, options: PictureOptions): string;
  /** Rejects with `unavailable` when too many wait. The bytes are shared: do not change them. */
  png(card: RenderedCard, options: PngOptions, signal?: AbortSignal): Promise<Uint8Array>;
}
