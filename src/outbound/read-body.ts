import { pipeline } from 'node:stream/promises';
import { TransportFault, type UpstreamRequest } from '../core/agents/connectors/call/transport.ts';
import type { BudgetShare } from './budget-share.ts';
import { codingOf, decoderOf, maxCompressed } from './decoding.ts';
import type { UpstreamResponse } from './request.ts';
import { ResponseBuffer } from './response-buffer.ts';
import type { TransportFaults } from './transport-faults.ts';

interface Bounds extends Pick<UpstreamRequest, 'method' | 'maxBytes' | 'signal'> {
  share: BudgetShare;
  faults: TransportFaults;
}

/** Counts decompressed bytes as they arrive, against decompression bombs. */
export async function readBody({ status, headers, body }: UpstreamResponse, bounds: Bounds): Promise<Buffer> {
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
