export interface Outcome {
  file: string;
  /** `queued`: with `--no-wait`. `refused`: without a job. `skipped`: of a directory. */
  status: 'completed' | 'failed' | 'queued' | 'refused' | 'skipped' | 'interrupted';
  jobId: string | null;
  documentId: string | null;
  chunks: number | null;
  error: string | null;
  notes?: string[];
}

const GOOD = new Set<Outcome['status']>(['completed', 'queued', 'skipped']);

/** What became of each file, in the order in which they were found. */
export class IngestReport {
  private readonly ofFiles: (Outcome | undefined)[];
  private readonly onOutcome: (outcome: Outcome) => void;
  private told = 0;

  /** `onOutcome` is called in that order, too. */
  constructor({ length }: { length: number }, onOutcome: (outcome: Outcome) => void) {
    this.ofFiles = new Array(length).fill(undefined);
    this.onOutcome = onOutcome;
  }

  add(index: number, outcome: Outcome): void {
    this.ofFiles[index] = outcome;
    for (let next = this.ofFiles[this.told]; next; next = this.ofFiles[this.told]) {
      this.told += 1;
      this.onOutcome(next);
    }
  }

  get outcomes(): Outcome[] {
    return this.ofFiles.filter((one) => one !== undefined);
  }

  get isGood(): boolean {
    return this.ofFiles.every((outcome) => outcome && GOOD.has(outcome.status));
  }

  has(status: Outcome['status']): boolean {
    return this.outcomes.some((outcome) => outcome.status === status);
  }

  /** `3 completed, 1 skipped`. */
  get summary(): string {
    const byStatus = Map.groupBy(this.outcomes, ({ status }) => status);
    return [...byStatus].map(([status, { length }]) => `${length} ${status}`).join(', ');
  }
}
