import type { Position, Prepared, ReadOptions } from '../core/knowledge/reader.ts';

/** What a thread is asked for: plain data. */
export type Task =
  | { kind: 'columns'; path: string; options: ReadOptions }
  | { kind: 'prepare'; path: string; options: ReadOptions }
  | { kind: 'read'; prepared: Prepared; from: Position | null; options: ReadOptions }
  | { kind: 'embed'; texts: readonly string[]; dimensions: number };

/**
 * What it answers: vectors as they are, so that they can be handed over rather than copied. That a document cannot be read,
 * or not now, is an answer, too, since errors lose their class between threads.
 */
export type Answer = Float32Array | { value: unknown } | { unreadable: string } | { unavailable: string };
