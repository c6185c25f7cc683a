/** Unread bytes that pause the server (backpressure), as in Node's streams. */
const MAX_WAITING = 64 * 1024;

export interface FlowControl {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** Cheaper than a Node stream. A reader that stops early ends the request. */
export class ResponseBody implements AsyncIterable<Buffer> {
  private readonly exchange: FlowControl;
  private chunks: Buffer[] = [];
  private size = 0;
  private state: 'open' | 'ended' | 'failed' | 'destroyed' = 'open';
  private fault: unknown;
  private wake: (() => void) | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(exchange: FlowControl) {
    this.exchange = exchange;
  }

  static of(bytes: Buffer): ResponseBody {
    const body = new ResponseBody({ pause: ignore, resume: ignore, abort: ignore });
    body.push(bytes);
    body.end();
    return body;
  }

  /** All chunks since the last read; null at the end. Rejects if the body broke off. */
  async read(): Promise<Buffer[] | null> {
    while (this.chunks.length === 0) {
      if (this.state === 'failed') throw this.fault;
      if (this.state !== 'open') return null;
      // Wakes once per socket read, with all chunks of that read.
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

  destroy(): void {
    const wasOpen = this.state === 'open';
    this.close('destroyed');
    this.chunks = [];
    if (wasOpen) this.exchange.abort(new Error('The rest of the answer is not wanted.'));
  }

  /** Discards the rest. The connection is reused if the rest arrives in time. */
  drain(withinMs: number): void {
    this.chunks = [];
    if (this.state !== 'open') return;
    this.timer = setTimeout(() => this.destroy(), withinMs).unref();
    this.exchange.resume();
  }

  push(chunk: Buffer): void {
    if (this.state !== 'open' || this.timer !== undefined) return;
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size >= MAX_WAITING) this.exchange.pause();
    this.wake?.();
  }

  end(): void {
    if (this.state === 'open') this.close('ended');
  }

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
