import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { TransportFault, type UpstreamRequest } from '../core/agents/connectors/call/transport.ts';
import type { MemoryBudget } from '../core/base/concurrency/memory-budget.ts';
import type { UpstreamResponse } from './request.ts';
import type { TransportFaults } from './transport-faults.ts';

interface Bounds extends Pick<UpstreamRequest, 'method' | 'maxBytes' | 'signal'> {
  share: BudgetShare;
  faults: TransportFaults;
}

/** Counts decompressed bytes as they arrive, against decompression bombs. */
export async function readWholeBody({ status, headers, body }: UpstreamResponse, bounds: Bounds): Promise<Buffer> {
  const { method, maxBytes, signal, share, faults } = bounds;
  if (method === 'HEAD' || status === 204 || status === 304) return Buffer.alloc(0);
  const coding = codingOf(headers);
  const maxReceived = coding === null ? maxBytes : maxCompressed(maxBytes);
  const tooLarge = () => faults.tooLarge(maxBytes, status);
  if (Number(headers['content-length']) > maxReceived) throw tooLarge();
  const gathering = new ResponseBuffer(maxBytes, {
    tooLarge,
    grant: (bytes) => {
      if (!share.tryReserve(bytes)) throw faults.budgetExhausted(status);
    },
  });
  const next = async () => {
    try {
      return await body.read();
    } catch (error) {
      throw faults.of(error, { maybeSent: true, status });
    }
  };
  if (coding === null) {
    for (let chunks = await next(); chunks !== null; chunks = await next()) {
      for (const chunk of chunks) gathering.add(chunk);
    }
  } else {
    const undecodable = (cause?: unknown) => faults.undecodable(coding, status, cause);
    const parts = received(next, maxReceived, tooLarge);
    await decompress(parts, gathering, { coding, undecodable, close: () => body.destroy(), signal });
  }
  return gathering.bytes;
}

/** One chunk per socket read: every chunk costs a pass through the decompressor. */
async function* received(
  next: () => Promise<Buffer[] | null>,
  maxBytes: number,
  tooLarge: () => Error,
): AsyncGenerator<Buffer> {
  let size = 0;
  for (let chunks = await next(); chunks !== null; chunks = await next()) {
    const part = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    size += part.length;
    if (size > maxBytes) throw tooLarge();
    yield part;
  }
}

interface Compression {
  coding: string;
  undecodable(cause?: unknown): Error;
  close(): void;
  signal: AbortSignal;
}

async function decompress(
  parts: AsyncGenerator<Buffer>,
  gathering: ResponseBuffer,
  { coding, undecodable, close, signal }: Compression,
): Promise<void> {
  const { value: first } = await parts.next();
  // An empty body is not compressed, whatever its header says.
  if (!first) return;
  const decoder = decoderOf(coding, first);
  if (decoder === null) throw undecodable();
  // The pipeline would wait for the end of its source, which a server may never send.
  decoder.once('close', close);
  const all = async function* () {
    yield first;
    yield* parts;
  };
  const gather = async (decoded: AsyncIterable<Buffer>) => {
    for await (const part of decoded) gathering.add(part);
  };
  try {
    await pipeline(all, decoder, gather, { signal });
  } catch (error) {
    throw error instanceof TransportFault ? error : undecodable(error);
  }
}

export const ACCEPTED_CODINGS = 'gzip, deflate, br';

const OPTIONS = { rejectGarbageAfterEnd: true };

const DECODERS: Record<string, (first: Uint8Array) => Transform> = {
  gzip: () => createGunzip(OPTIONS),
  'x-gzip': () => createGunzip(OPTIONS),
  br: () => createBrotliDecompress(OPTIONS),
  // Some servers omit the zlib header; browsers accept both.
  deflate: ([first = 0]) => ((first & 0x0f) === 0x08 ? createInflate(OPTIONS) : createInflateRaw(OPTIONS)),
};

/** Null if the body is not compressed. */
export function codingOf(headers: IncomingHttpHeaders): string | null {
  if (headers['content-encoding'] === undefined) return null;
  const said = [headers['content-encoding']].flat().join(',').toLowerCase();
  const codings = said.split(',').map((one) => one.trim());
  return codings.filter((one) => one !== '' && one !== 'identity').join(', ') || null;
}

/** Null for an unknown coding or a chain of codings. */
export function decoderOf(coding: string, first: Uint8Array): Transform | null {
  return Object.hasOwn(DECODERS, coding) ? DECODERS[coding]!(first) : null;
}

/** Incompressible data grows a little. */
export function maxCompressed(bytes: number): number {
  return bytes + Math.ceil(bytes / 64) + 1_024;
}

const FIRST_BUFFER_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/** One buffer: a list of chunks would cost 100 bytes for each tiny one. */
export class ResponseBuffer {
  private readonly maxBytes: number;
  private readonly reserve: (bytes: number) => void;
  private readonly tooLarge: () => Error;
  private buffer: Buffer = NOTHING;
  private length = 0;

  /** `grant` is called before memory is allocated, and throws when the budget is exhausted. */
  constructor(maxBytes: number, { grant, tooLarge }: { grant: (bytes: number) => void; tooLarge: () => Error }) {
    this.maxBytes = maxBytes;
    this.reserve = grant;
    this.tooLarge = tooLarge;
  }

  add(part: Buffer): void {
    const length = this.length + part.length;
    if (length > this.maxBytes) throw this.tooLarge();
    if (this.length === 0) {
      // Most responses arrive in one chunk, which is then not copied.
      this.reserve(part.length);
      this.buffer = part;
      this.length = length;
      return;
    }
    if (length > this.buffer.length) this.grow(length);
    this.buffer.set(part, this.length);
    this.length = length;
  }

  get bytes(): Buffer {
    return this.buffer.length === this.length ? this.buffer : this.buffer.subarray(0, this.length);
  }

  private grow(length: number): void {
    const size = Math.min(Math.max(length, 2 * this.buffer.length, FIRST_BUFFER_BYTES), this.maxBytes);
    this.reserve(size - this.buffer.length);
    const larger = Buffer.allocUnsafeSlow(size);
    larger.set(this.bytes);
    this.buffer = larger;
  }
}

/** Most responses are smaller; the rest is reserved as it arrives. */
const FIRST_SHARE_BYTES = 64 * 1024;

export class BudgetShare {
  private readonly budget: MemoryBudget;
  private readonly tenantId: string;
  private reserved: number;
  private used = 0;

  /** Throws `unavailable` when the budget has too little left. */
  constructor(budget: MemoryBudget, tenantId: string, maxBytes: number) {
    this.budget = budget;
    this.tenantId = tenantId;
    this.reserved = Math.min(FIRST_SHARE_BYTES, maxBytes);
    budget.reserve(tenantId, this.reserved);
  }

  tryReserve(bytes: number): boolean {
    const missing = Math.max(this.used + bytes - this.reserved, 0);
    if (!this.budget.tryReserve(this.tenantId, missing)) return false;
    this.reserved += missing;
    this.used += bytes;
    return true;
  }

  release(): void {
    this.budget.release(this.tenantId, this.reserved);
  }
}
