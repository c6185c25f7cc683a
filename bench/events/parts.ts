import type { Bench } from './bench.ts';
import { benchDashboard } from './dashboard.ts';
import { Datasets } from './dataset.ts';
import { benchDedup } from './dedup.ts';
import { benchEngines } from './engines/engines.ts';
import { benchFairnessOfQueries } from './fairness-queries.ts';
import { benchFeed } from './feed.ts';
import { benchGrowth } from './growth.ts';
import { benchHour } from './hour.ts';
import { benchIngest } from './ingest.ts';
import type { Options } from './options.ts';
import { benchQueries } from './queries.ts';
import { Report } from './report.ts';
import { benchTenants } from './tenants.ts';

/** The parts of the bench of tracked events, in the order in which they run. */
export const parts: Record<string, (bench: Bench) => Promise<void>> = {
  queries: benchQueries,
  feed: benchFeed,
  engines: benchEngines,
  ingest: benchIngest,
  tenants: benchTenants,
  growth: benchGrowth,
  dedup: benchDedup,
  dashboard: benchDashboard,
  hour: benchHour,
  'fairness-queries': benchFairnessOfQueries,
};

/** The first takes an hour by default; none is part of all. */
const ONLY_WHEN_NAMED = ['hour', 'fairness-queries', 'dashboard'];

/** Runs the named parts, or all. A failed part is reported, and the next one runs. */
export async function benchEvents(named: string[], options: Options): Promise<void> {
  const report = new Report(options.json);
  const datasets = new Datasets(options.work, (text) => report.progress(text));
  const bench: Bench = { options, datasets, report, isNamed: (part) => named.includes(part) };
  const all = Object.keys(parts).filter((part) => !ONLY_WHEN_NAMED.includes(part));
  try {
    for (const part of named.length > 0 ? named : all) {
      try {
        await parts[part]?.(bench);
      } catch (error) {
        report.failure(part, error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
    }
  } finally {
    datasets.remove();
  }
}
