/** Bytes that may wait for whoever reads before the server is held up: as many as a stream of Node.js lets wait. */
const MAX_WAITING = 64 * 1024;

/** The request that a body answers. */
export interface Exchange {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/**
 * The bytes of an answer as they come: of a stream of Node.js what is needed here, for a fraction of what one costs. Whoever
 * stops before the end destroys it, which ends the request.
 */
export class ResponseBody implements AsyncIterable<Buffer> {
  private readonly exchange: Exchange;
  private chunks: Buffer[] = [];
  private size = 0;
  private state: 'open' | 'ended' | 'failed' | 'destroyed' = 'open';
  private fault: unknown;
  /** Of whoever waits for more. */
  private wake: (() => void) | null = null;
  /** Set while the rest goes by. */
  private timer: NodeJS.Timeout | undefined;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  /** One that has come as a whole. */
  static of(bytes: Buffer): ResponseBody {
    const body = new ResponseBody({ pause: ignore, resume: ignore, abort: ignore });
    body.push(bytes);
    body.end();
    return body;
  }

  /**
   * All that has come since the last read; null is the end, also of a body that was destroyed. Rejects when it broke off or
   * was aborted, after what had come before. One at a time.
   */
  async read(): Promise<Buffer[] | null> {
    while (this.chunks.length === 0) {
      if (this.state === 'failed') throw this.fault;
      if (this.state !== 'open') return null;
      // Whoever is woken finds all that one read of the socket brought, in however many parts the server sent it.
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const chunks = this.chunks;
    this.chunks = [];
    this.size = 0;
    this.exchange.resume();
    return chunks;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for (let chunks = await this.read(); chunks !== null; chunks = await this.read()) yield* chunks;
    } finally {
      this.destroy();
    }
  }

  /** Nobody wants the rest. Ends the request, unless it is over. */
  destroy(): void {
    const wasOpen = this.state === 'open';
    this.close('destroyed');
    this.chunks = [];
    if (wasOpen) this.exchange.abort(new Error('The rest of the answer is not wanted.'));
  }

  /** Nobody wants the rest, but its connection, which can be used again if that comes within so many milliseconds. */
  drain(withinMs: number): void {
    this.chunks = [];
    if (this.state !== 'open') return;
    this.timer = setTimeout(() => this.destroy(), withinMs).unref();
    this.exchange.resume();
  }

  /** For whoever receives it. */
  push(chunk: Buffer): void {
    if (this.state !== 'open' || this.timer !== undefined) return;
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size >= MAX_WAITING) this.exchange.pause();
    this.wake?.();
  }

  /** For whoever receives it: that was all. */
  end(): void {
    if (this.state === 'open') this.close('ended');
  }

  /** For whoever receives it: no more will come. */
  fail(fault: unknown): void {
    if (this.state !== 'open') return;
    this.fault = fault;
    this.close('failed');
  }

  private close(state: 'ended' | 'failed' | 'destroyed'): void {
    this.state = state;
    clearTimeout(this.timer);
    this.wake?.();
  }
}

function ignore(): void {}
