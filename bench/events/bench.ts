import type { Datasets } from './dataset.ts';
import type { Options } from './options.ts';
import type { Report } from './report.ts';

/** The context of every part. */
export interface Bench {
  options: Options;
  datasets: Datasets;
  report: Report;
  /** Whether a part was named, rather than run as one of all. */
  isNamed(part: string): boolean;
}
