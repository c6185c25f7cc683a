import { formatBytes, oneLine } from '../../core/base/shared/text.ts';
import type { ShownJob } from '../../core/knowledge/schema.ts';
import { type ProgressBar, showProgress } from '../presentation/progress.ts';
import type { FoundFiles, SizedFile } from './ingest-files.ts';

/** One bar for all files, by their sizes: half of each is sending it, half ingesting it. */
export class IngestProgress {
  private readonly bar: ProgressBar;
  private readonly files: SizedFile[];
  private readonly sending: number;
  private readonly done = new Map<SizedFile, number>();
  private readonly over = new Set<SizedFile>();
  private total = 0;

  /** Nothing with `json`, or without a terminal. */
  static show(found: FoundFiles, { json, wait }: { json: boolean; wait: boolean }): IngestProgress {
    const files = found.filter((one) => 'size' in one);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return new IngestProgress(showProgress(json ? 0 : bytes), files, wait ? 0.5 : 1);
  }

  private constructor(bar: ProgressBar, files: SizedFile[], sending: number) {
    this.bar = bar;
    this.files = files;
    this.sending = sending;
  }

  /** `bytes` of the body, which is a little longer than the file. */
  sent(file: SizedFile, bytes: number): void {
    const share = Math.min(bytes / file.size, 1) * this.sending;
    this.show(file, share, `sending ${oneLine(file.name)}, ${formatBytes(file.size)}`);
  }

  ingested(file: SizedFile, { progress, processedChunks, totalChunks }: ShownJob): void {
    const share = this.sending + progress * (1 - this.sending);
    this.show(file, share, `ingesting ${oneLine(file.name)}, ${processedChunks} of ${totalChunks} chunks`);
  }

  /** In any way. */
  ended(file: SizedFile): void {
    this.over.add(file);
    const { length } = this.files;
    if (length > 1) this.bar.update(this.total, `${this.over.size} of ${length} files`);
  }

  clear(): void {
    this.bar.clear();
  }

  stop(): void {
    this.bar.stop();
  }

  private show(file: SizedFile, share: number, what: string): void {
    const done = share * file.size;
    this.total += done - (this.done.get(file) ?? 0);
    this.done.set(file, done);
    const { length } = this.files;
    const state = length === 1 ? what : `${this.over.size} of ${length} files, ${what}`;
    this.bar.update(this.total, state);
  }
}

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

/** The outcome of each file, in the order in which they were found. */
export class IngestReport {
  private readonly ofFiles: (Outcome | undefined)[];
  private readonly onOutcome: (outcome: Outcome) => void;
  private told = 0;

  /** `onOutcome` is called in that order as well. */
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
