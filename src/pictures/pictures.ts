import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SharedTab, TabPictureOptions, TabPictures } from '../core/analytics/dashboards/links/schema.ts';
import type { CardPictures, PictureOptions } from '../core/analytics/dashboards/pictures.ts';
import type { RenderedCard } from '../core/analytics/dashboards/render.ts';
import { FairLimiter } from '../core/base/concurrency/fair-limiter.ts';
import { abortable } from '../core/base/concurrency/timers.ts';
import { RuntimeError } from '../core/base/shared/errors.ts';
import { siblingModule } from '../threads/call-thread.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { PictureTask } from './entry.ts';

const MAX_AT_ONCE = 2;
const MAX_WAITING = 16;
const MAX_WAITING_OF_ALL = 64;
const MAX_WAITING_SVGS = 100;
const MAX_WAITING_SVGS_OF_ALL = 400;
const IDLE_MS = 30_000;
/**
 * A picture takes tens of milliseconds; with many system fonts, or on a busy machine, perhaps
 * seconds.
 */
const PICTURE_MS = 20_000;
const CACHE_BYTES = 16 * 1024 * 1024;

interface Drawing {
  png: Promise<Uint8Array>;
  /** The number of requests that wait for it. */
  requests: number;
  /** Removes the drawing from the queue; later requests start a new one. */
  leave(): void;
}

/** Draws pictures in threads, and keeps PNGs in an LRU cache by what they show. */
export class Pictures implements CardPictures, TabPictures {
  private readonly pool: ThreadPool<PictureTask, string | Uint8Array>;
  private readonly limiter = new FairLimiter({
    concurrency: MAX_AT_ONCE,
    perKeyAlone: MAX_AT_ONCE,
    perKeyContended: 1,
    maxQueue: MAX_WAITING,
    maxQueueOfAll: MAX_WAITING_OF_ALL,
    rejection: 'Too many pictures are being drawn. Try again.',
  });
  /** An SVG takes few milliseconds, and a dashboard asks for many at once. */
  private readonly svgLimiter = new FairLimiter({
    concurrency: MAX_AT_ONCE,
    perKeyAlone: MAX_AT_ONCE,
    perKeyContended: 1,
    maxQueue: MAX_WAITING_SVGS,
    maxQueueOfAll: MAX_WAITING_SVGS_OF_ALL,
    rejection: 'Too many pictures are being drawn. Try again.',
  });
  private readonly cache = new LRUCache<string, Uint8Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (png, key) => key.length + png.byteLength,
  });
  /** Single-flight per tenant, so that tenants take turns. */
  private readonly drawings = new Map<string, Drawing>();

  constructor() {
    this.pool = new ThreadPool({
      entry: siblingModule(import.meta.url, 'entry'),
      maxThreads: MAX_AT_ONCE,
      idleMs: IDLE_MS,
    });
  }

  svg(card: RenderedCard, options: PictureOptions, signal?: AbortSignal): Promise<string> {
    const task: PictureTask = { card, options, type: 'svg' };
    return this.svgLimiter.run(options.tenantId ?? '', () => this.drawn<string>(task), signal);
  }

  async png(card: RenderedCard, options: PictureOptions, signal?: AbortSignal): Promise<Uint8Array> {
    const { tenantId = '', ...look } = options;
    const key = keyOf(card, look);
    const cached = this.cache.get(key);
    if (cached) return cached;
    signal?.throwIfAborted();
    const drawing = this.drawingOf(tenantId, key, { card, options, type: 'png' });
    drawing.requests += 1;
    try {
      return await (signal ? abortable(drawing.png, signal) : drawing.png);
    } finally {
      drawing.requests -= 1;
      if (drawing.requests === 0) drawing.leave();
    }
  }

  tab(tab: SharedTab, { type, ...options }: TabPictureOptions, signal?: AbortSignal): Promise<string | Uint8Array> {
    const limiter = type === 'svg' ? this.svgLimiter : this.limiter;
    return limiter.run(options.tenantId, () => this.drawn({ tab, options, type }), signal);
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /** The drawing under way for this picture, else a new one. */
  private drawingOf(tenantId: string, key: string, task: PictureTask): Drawing {
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

  private async draw(task: PictureTask, key: string): Promise<Uint8Array> {
    const png = await this.drawn<Uint8Array>(task);
    this.cache.set(key, png);
    return png;
  }

  /**
   * Goes on when its requests are aborted: starting a new thread takes longer than finishing the
   * picture.
   */
  private async drawn<Picture extends string | Uint8Array>(task: PictureTask): Promise<Picture> {
    const late = AbortSignal.timeout(PICTURE_MS);
    try {
      return (await this.pool.run(task, late)) as Picture;
    } catch (error) {
      if (!late.aborted) throw error;
      throw new RuntimeError('timeout', 'The picture took too long. Ask for a smaller one.', { cause: error });
    }
  }
}

/**
 * A digest of what a picture shows: handles and milliseconds of a range such as the last hour are
 * others each time.
 */
function keyOf({ card, data, basis }: RenderedCard, look: Omit<PictureOptions, 'tenantId'>): string {
  const { cases: _, lastEventAt: _l, ...shown } = basis;
  const [from, to] = [basis.from, basis.to].map((time) => time?.slice(0, 'YYYY-MM-DDTHH:mm:ss'.length));
  return hash('sha256', JSON.stringify([look, card, data, { ...shown, from, to }]));
}
