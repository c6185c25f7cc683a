import { ProviderFault } from '../../core/chat/provider.ts';
import { BlockedAddress } from '../../outbound/dispatchers.ts';

/** Bytes. Of our requests the answer has a quarter of it, where 3,072 numbers are written out for each text. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** The bytes of an answer, no more than an answer can have. Whoever sends more is left. */
export async function readResponse(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER) throw new ProviderFault('broken', 'It answered with far more than vectors.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The members of an answer in JSON. Throws a ProviderFault when it is none. */
export function membersOf(answer: string): Record<string, unknown> {
  const value = jsonIn(answer);
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new ProviderFault('broken', 'It answered with what is no JSON of vectors.');
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The vectors of an answer. Throws a ProviderFault when there is no list of them. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ProviderFault('broken', 'It answered without a list of vectors.');
}

/** An address that may not be reached is refused for good; all else is as the vendor's chats read it. */
export function faultOf(error: unknown, faultOfVendor: (error: unknown) => ProviderFault): ProviderFault {
  const { cause = error } = error as Error;
  if (cause instanceof BlockedAddress) return new ProviderFault('refused', cause.message);
  return faultOfVendor(error);
}
