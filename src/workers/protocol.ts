import type { Position, Prepared, ReadOptions } from '../core/knowledge/reader.ts';

export type Task =
  | { kind: 'columns'; path: string; options: ReadOptions }
  | { kind: 'prepare'; path: string; options: ReadOptions }
  | { kind: 'read'; prepared: Prepared; from: Position | null; options: ReadOptions }
  | { kind: 'embed'; texts: readonly string[]; dimensions: number };

/** Vectors are moved, not copied. Failures are values: errors lose their class in transit. */
export type Answer = Float32Array | { value: unknown } | { unreadable: string } | { unavailable: string };
