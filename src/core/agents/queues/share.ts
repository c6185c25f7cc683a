import { createHash } from 'node:crypto';

const BYTES = 6;

/** Whether the execution is in the share of the queue: a hash of both decides, always alike. */
export function isInShare(share: number | undefined, queue: string, executionId: string): boolean {
  if (share === undefined) return true;
  const hash = createHash('sha256').update(`${queue}\n${executionId}`).digest();
  return hash.readUIntBE(0, BYTES) < share * 2 ** (8 * BYTES);
}
