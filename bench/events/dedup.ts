import { measureApart } from './apart.ts';
import type { Bench } from './bench.ts';
import type { DedupStage } from './dedup-measure.ts';
import type { Line } from './report.ts';

const PART = 'dedup';
const BYTES_PER_ID = 40;

/** The cost of remembering a caller's id: a store with caller ids, minus one without. */
export async function benchDedup({ options, datasets, report }: Bench): Promise<void> {
  const counts = [Math.round(options.rows / 10), Math.round(options.rows / 2)];
  const measure = (idFromCaller: boolean) =>
    measureApart('dedup', { directory: datasets.scratch(PART), counts, idFromCaller });
  const withIds = await measure(true);
  const without = await measure(false);
  const lines = counts.map((count, at) => lineOf(`${shown(count)} ids`, count, withIds[at]!, without[at]!, false));
  const [before, after] = [difference(withIds[0]!, without[0]!), difference(withIds[1]!, without[1]!)];
  const further = counts[1]! - counts[0]!;
  const nothing = { spoolBytes: 0, allBytes: 0, memoryMb: 0 };
  const growth = difference(after, before);
  lines.push(lineOf(`${shown(further)} further ids`, further, growth, nothing, true));
  report.table(PART, 'what is there with ids of the caller and is not without', lines);
}

function difference(one: DedupStage, other: DedupStage): DedupStage {
  return {
    spoolBytes: one.spoolBytes - other.spoolBytes,
    allBytes: one.allBytes - other.allBytes,
    memoryMb: one.memoryMb - other.memoryMb,
  };
}

function lineOf(what: string, count: number, one: DedupStage, other: DedupStage, isJudged: boolean): Line {
  const { spoolBytes, allBytes, memoryMb } = difference(one, other);
  return {
    what,
    values: {
      'spool MB': spoolBytes / 1e6,
      'bytes per id': spoolBytes / count,
      'all files, bytes per id': allBytes / count,
      'memory MB': memoryMb,
    },
    ...(isJudged ? { demanded: { of: 'bytes per id', atMost: BYTES_PER_ID } } : {}),
  };
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}
