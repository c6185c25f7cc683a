import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { invalid } from '../core/base/shared/errors.ts';
import { type Container, findContainer } from './container.ts';

const MEBIBYTE = 1024 * 1024;

/** With so much every part has its full size; more would be of no use. */
const FULL_BYTES = 1024 * MEBIBYTE;
/** The program itself, before any part has a share. */
const BASE_BYTES = 128 * MEBIBYTE;
/** With little, threads and heaps take more than their part of it. */
const STEEPNESS = 1.5;
/** With less a server is killed, or refuses nearly everything (docs/operation.md). */
export const LEAST_BYTES = 256_000_000;

/** The memory that the process may hold. Every part that grows with its use has a share of it. */
export interface ProcessMemory {
  bytes: number;
  /** Who set the limit; null: only the machine ends, which other programs use too. */
  limitedBy: string | null;
  /** From 0 to 1, the factor of every size that is given for a server with plenty. */
  share: number;
  /** Columns of events that questions keep. */
  keptColumnBytes: number;
  /** Bytes that are in use and cannot be taken back. */
  used(): number;
}

interface Place {
  container: Container | null;
  /** Bytes of the machine. */
  machine: number;
}

/** `setting` in bytes; null: what the place allows. */
export function processMemory(
  setting: number | null,
  { container, machine }: Place = { container: findContainer(), machine: totalmem() },
): ProcessMemory {
  const isSet = setting !== null && setting <= (container?.limit ?? Number.POSITIVE_INFINITY);
  const limit = isSet ? setting : (container?.limit ?? null);
  const bytes = limit ?? Math.min(FULL_BYTES, machine / 2);
  const share = Math.min(1, Math.max(0, (bytes - BASE_BYTES) / (FULL_BYTES - BASE_BYTES)) ** STEEPNESS);
  return {
    bytes,
    limitedBy: isSet ? 'AGENT_RUNTIME_MEMORY' : container && 'the limit of the container',
    share,
    keptColumnBytes: Math.floor(96 * MEBIBYTE * share),
    used: isSet || container === null ? anonymousBytes : container.used,
  };
}

/** Throws `invalid`. */
export function refuseTooLittle({ bytes, limitedBy }: ProcessMemory): void {
  if (limitedBy === null || bytes >= LEAST_BYTES) return;
  const [has, least] = [bytes, LEAST_BYTES].map((size) => Math.floor(size / 1e6));
  throw invalid(`${limitedBy} is ${has} MB of memory, and the server needs at least ${least}. Raise it.`);
}

/** Elsewhere than on Linux with the pages of files. */
function anonymousBytes(): number {
  if (process.platform !== 'linux') return process.memoryUsage.rss();
  const [, kibibytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kibibytes ?? 0) * 1024;
}
