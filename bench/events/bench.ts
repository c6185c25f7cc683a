import type { Datasets } from './dataset.ts';
import type { Options } from './options.ts';
import type { Report } from './report.ts';

/** What every part is given. */
export interface Bench {
  options: Options;
  datasets: Datasets;
  report: Report;
  /** Whether a part was asked for by its name, and not as one of all. */
  isNamed(part: string): boolean;
}
