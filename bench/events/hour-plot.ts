import { drawPanels } from './plot.ts';

const BLUE = '#1f5fa8';
const ORANGE = '#c2570c';

/** One measurement; times are of the calls since the previous one. */
export interface Sample {
  minutes: number;
  events: number;
  memoryMb: number;
  tablesMb: number;
  spoolMb: number;
  diskMb: number;
  /** Accepted and not in the tables yet. */
  backlogMb: number;
  queryP50Ms: number;
  queryP99Ms: number;
  feedP50Ms: number;
  feedP99Ms: number;
  acceptP99Ms: number;
  freshMs: number;
  loopP99Ms: number;
}

/** Memory, disk and answers over time. */
export function drawHour(samples: Sample[]): string {
  const of = (name: keyof Sample) => samples.map((sample) => ({ x: sample.minutes, y: sample[name] }));
  return drawPanels('minutes', [
    { title: 'Memory of the server, MB', curves: [{ name: 'resident', color: BLUE, points: of('memoryMb') }] },
    {
      title: 'Disk, MB',
      curves: [
        { name: 'data directory', color: BLUE, points: of('diskMb') },
        { name: 'spool and ids', color: ORANGE, points: of('spoolMb') },
      ],
    },
    {
      title: 'Queries, ms',
      curves: [
        { name: 'p99', color: ORANGE, points: of('queryP99Ms') },
        { name: 'p50', color: BLUE, points: of('queryP50Ms') },
      ],
    },
  ]);
}
