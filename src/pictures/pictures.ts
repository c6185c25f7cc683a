import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { abortable } from '../core/concurrency/abortable.ts';
import { FairLimiter } from '../core/concurrency/fair-limiter.ts';
import type { CardPictures, PictureOptions, PngOptions } from '../core/dashboards/pictures.ts';
import type { RenderedCard } from '../core/dashboards/render.ts';
import { RuntimeError } from '../core/shared/errors.ts';
import { siblingModule } from '../threads/sibling-module.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { Task } from './entry.ts';
import { checkFonts } from './fonts.ts';

const MAX_AT_ONCE = 2;
const MAX_WAITING = 16;
const MAX_WAITING_OF_ALL = 64;
const IDLE_MS = 30_000;
/** A picture takes tens of milliseconds; with many system fonts, or on a busy machine, perhaps seconds. */
const PICTURE_MS = 20_000;
const CACHE_BYTES = 16 * 1024 * 1024;

export interface PicturesOptions {
  /** A directory of fonts for characters that Inter lacks. */
  fonts?: string | undefined;
}

interface Drawing {
  png: Promise<Uint8Array>;
  /** The number of requests that wait for it. */
  requests: number;
  /** Removes the drawing from the queue; later requests start a new one. */
  leave(): void;
}

/** Draws PNGs in threads, and keeps them in an LRU cache by scale and SVG. */
export class Pictures implements CardPictures {
  private readonly fonts: string | undefined;
  private readonly pool: ThreadPool<Task, Uint8Array>;
  private readonly limiter = new FairLimiter({
    concurrency: MAX_AT_ONCE,
    perKeyAlone: MAX_AT_ONCE,
    perKeyContended: 1,
    maxQueue: MAX_WAITING,
    maxQueueOfAll: MAX_WAITING_OF_ALL,
    rejection: 'Too many pictures are being drawn. Try again.',
  });
  private readonly cache = new LRUCache<string, Uint8Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (png, key) => key.length + png.byteLength,
  });
  /** Single-flight per tenant, so that tenants take turns. */
  private readonly drawings = new Map<string, Drawing>();

  /** Throws `invalid` if the directory of fonts contains none. */
  constructor({ fonts }: PicturesOptions = {}) {
    if (fonts !== undefined) checkFonts(fonts);
    this.fonts = fonts;
    this.pool = new ThreadPool({
      entry: siblingModule(import.meta.url, 'entry'),
      maxThreads: MAX_AT_ONCE,
      idleMs: IDLE_MS,
    });
  }

  async svg(card: RenderedCard, { width, height, theme, locale }: PictureOptions): Promise<string> {
    // Loaded with the first picture, for a fast start.
    const [{ cardSvg }, { PALETTES }] = await Promise.all([
      import('../charts/card.ts'),
      import('../charts/palette.ts'),
    ]);
    return cardSvg(card, { width, height, palette: PALETTES[theme], locale });
  }

  async png(card: RenderedCard, options: PngOptions, signal?: AbortSignal): Promise<Uint8Array> {
    const { scale, tenantId = '' } = options;
    const svg = await this.svg(card, options);
    const key = hash('sha256', `${scale} ${svg}`);
    const cached = this.cache.get(key);
    if (cached) return cached;
    signal?.throwIfAborted();
    const drawing = this.drawingOf(tenantId, key, { svg, scale, fonts: this.fonts });
    drawing.requests += 1;
    try {
      return await (signal ? abortable(drawing.png, signal) : drawing.png);
    } finally {
      drawing.requests -= 1;
      if (drawing.requests === 0) drawing.leave();
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /** The drawing under way for this picture, else a new one. */
  private drawingOf(tenantId: string, key: string, task: Task): Drawing {
    const name = `${tenantId} ${key}`;
    const underWay = this.drawings.get(name);
    if (underWay) return underWay;
    const controller = new AbortController();
    const png = this.limiter.run(tenantId, () => this.draw(task, key), controller.signal);
    const leave = () => {
      this.drawings.delete(name);
      controller.abort();
    };
    const drawing = { png, requests: 0, leave };
    this.drawings.set(name, drawing);
    return drawing;
  }

  /** Goes on when its requests are aborted: starting a new thread takes longer than finishing the picture. */
  private async draw(task: Task, key: string): Promise<Uint8Array> {
    const late = AbortSignal.timeout(PICTURE_MS);
    try {
      const png = await this.pool.run(task, late);
      this.cache.set(key, png);
      return png;
    } catch (error) {
      if (!late.aborted) throw error;
      throw new RuntimeError('timeout', 'The picture took too long. Ask for a smaller one.', { cause: error });
    }
  }
}
