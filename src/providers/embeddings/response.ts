import { ProviderFault, refused } from '../../core/agents/chat/provider.ts';
import { BlockedAddress } from '../../outbound/guard.ts';
import { tryParseJson } from '../shared/json.ts';

/** Bytes: four times the response to our largest request, with 3,072 numbers per text. */
const MAX_ANSWER = 64 * 1024 * 1024;

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

export function membersOf(answer: string): Record<string, unknown> {
  const value = tryParseJson(answer);
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new ProviderFault('broken', 'It answered with something other than JSON with vectors.');
}

export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ProviderFault('broken', 'It answered without a list of vectors.');
}

/** A blocked address is refused for good. */
export function embeddingFaultOf(error: unknown, faultOfVendor: (error: unknown) => ProviderFault): ProviderFault {
  const { cause = error } = error as Error;
  if (cause instanceof BlockedAddress) return refused(cause.message);
  return faultOfVendor(error);
}
