import { createHash } from 'node:crypto';
import { PeriodicTask } from '../base/concurrency/timers.ts';
import type { Effects } from '../base/shared/effects.ts';
import { RuntimeError } from '../base/shared/errors.ts';
import { embeddingText } from './chunking.ts';
import type { Embedded, Embedder, Embedders } from './embedder.ts';
import {
  type Chunk,
  type DocumentFormat,
  type DocumentReader,
  type Position,
  type Prepared,
  READER_VERSION,
  type ReadTask,
  type Slice,
  UnreadableDocument,
} from './reader.ts';
import type { ChunkBatch, ClaimedJob, KnowledgeStore, Lease } from './store.ts';
import type { UploadStore } from './uploads.ts';

export const LEASE_MS = 60_000;
/** After this time the job yields to a job of another tenant. */
const TIME_SLICE_MS = 2_000;
const YIELD_CHECK_MS = 500;
/** Crashes of the reader or the server until the document fails. */
const MAX_ATTEMPTS = 3;
/** Slices that are embedded while the next one is read. */
const READ_AHEAD = 3;

export interface JobRunParts {
  store: KnowledgeStore;
  reader: DocumentReader;
  uploads: UploadStore;
  embedders: Embedders;
  effects: Effects;
  onChunks(count: number): void;
}

/** `yielded` continues with the next run immediately, `later` after a pause. */
export type RunResult = 'over' | 'lost' | 'yielded' | 'later';

interface Progress {
  version: number;
  /** At preparation: at another one, the derived files have to be made again. */
  path: string;
  prepared: Prepared;
  next: Position | null;
  notes: string[];
}

interface Piece {
  chunks: Chunk[];
  units: Uint8Array[] | null;
  embedded: Embedded | null;
  slice: Slice;
}

/** One run of a job: reads, embeds and stores slice by slice, each with a checkpoint. */
export class JobRun {
  private readonly parts: JobRunParts;
  private readonly claimed: ClaimedJob;
  private readonly lease: Lease;
  private readonly signal: AbortSignal;
  private nextYieldCheck: number;
  private stored: number;

  constructor(parts: JobRunParts, claimed: ClaimedJob, signal: AbortSignal) {
    this.parts = parts;
    this.claimed = claimed;
    this.lease = { jobId: claimed.job.jobId, fence: claimed.fence };
    this.signal = signal;
    this.nextYieldCheck = parts.effects.now() + TIME_SLICE_MS;
    this.stored = claimed.job.processedChunks;
  }

  /** Throws unexpected errors; the caller then releases the job. */
  async run(): Promise<RunResult> {
    // A failed renewal shows with the next batch.
    const run = () => this.parts.store.renew(this.lease, LEASE_MS);
    const renewing = new PeriodicTask({ everyMs: LEASE_MS / 3, run });
    try {
      return await this.work();
    } catch (error) {
      return await this.endWith(error);
    } finally {
      void renewing.close();
    }
  }

  private async work(): Promise<RunResult> {
    const { uploads } = this.parts;
    const { attempts, uploadId } = this.claimed;
    if (attempts > MAX_ATTEMPTS) throw new UnreadableDocument(this.givenUp());
    const upload = await uploads.open(uploadId, this.signal);
    if (upload === null) {
      throw new UnreadableDocument(
        'The uploaded file is not there any more: a backup holds no files that wait to be ingested. Upload it again.',
      );
    }
    try {
      return await this.ingest(upload.path);
    } finally {
      await upload.close();
    }
  }

  private async ingest(path: string): Promise<RunResult> {
    const { store, effects, embedders } = this.parts;
    const { embedder: name, dimensions } = this.claimed;
    const progress = await this.progress(path);
    if (!progress) return 'lost';
    const end = await this.storeAll(progress, embedders.of(name, dimensions));
    if (end) return end;
    if (this.stored === 0) throw new UnreadableDocument(emptyDocument(this.claimed));
    return (await store.complete(this.lease, effects.now())) ? 'over' : 'lost';
  }

  /**
   * Null once complete. Before it yields it stores what was read: the vectors may have cost money.
   */
  private async storeAll(progress: Progress, embedder: Embedder | null): Promise<'lost' | 'yielded' | null> {
    const waiting: Promise<Piece>[] = [];
    let storing: Promise<boolean> = Promise.resolve(true);
    let shouldYield = false;
    try {
      for await (const { piece } of this.pieces(progress, embedder)) {
        waiting.push(piece);
        if (waiting.length < READ_AHEAD) continue;
        const first = await waiting.shift()!;
        if (!(await storing)) return 'lost';
        storing = this.commit(first, progress);
        shouldYield = await this.shouldYield();
        if (shouldYield) break;
      }
      for (const piece of waiting) {
        const next = await piece;
        if (!(await storing)) return 'lost';
        storing = this.commit(next, progress);
      }
      if (!(await storing)) return 'lost';
      if (!shouldYield) return null;
      await this.parts.store.release(this.lease, false);
      return 'yielded';
    } finally {
      await storing.catch(() => undefined);
    }
  }

  private get task(): ReadTask {
    const { job, options } = this.claimed;
    return { tenantId: job.tenantId, options, signal: this.signal };
  }

  /** Checked rarely: the query waits behind writes. */
  private async shouldYield(): Promise<boolean> {
    const { store, effects } = this.parts;
    const now = effects.now();
    if (now < this.nextYieldCheck) return false;
    this.nextYieldCheck = now + YIELD_CHECK_MS;
    return store.hasOtherWaiting(this.claimed.job.tenantId);
  }

  /** Null if the lease is lost. */
  private async progress(path: string): Promise<Progress | null> {
    const { store, reader } = this.parts;
    const saved = this.claimed.checkpoint as Progress | null;
    const isOurs = saved?.version === READER_VERSION;
    if (isOurs && saved.path === path) return saved;
    if (saved && !isOurs) {
      if (!(await store.restart(this.lease))) return null;
      this.stored = 0;
    }
    const prepared = await reader.prepare(path, this.task);
    const notes = isOurs ? saved.notes : ((prepared.notes as string[] | undefined) ?? []);
    return { version: READER_VERSION, path, prepared, next: isOurs ? saved.next : undefined, notes };
  }

  /** Wrapped, since a generator awaits a promise that it yields. */
  private async *pieces(
    { prepared, next }: Progress,
    embedder: Embedder | null,
  ): AsyncGenerator<{ piece: Promise<Piece> }> {
    let from: Position | null = next ?? null;
    if (next === null) return;
    do {
      const slice = await this.parts.reader.read(prepared, from, this.task);
      const piece = this.embed(slice, embedder);
      // Prevents an unhandled rejection; the consumer sees the error.
      piece.catch(() => undefined);
      yield { piece };
      from = slice.next;
    } while (from !== null);
  }

  private async embed(slice: Slice, embedder: Embedder | null): Promise<Piece> {
    const { chunks, units } = await this.newChunks(slice.chunks);
    const texts = chunks.map(embeddingText);
    const embedded = embedder && texts.length > 0 ? await embedder.embed(texts, 'document', this.signal) : null;
    return { chunks, units, embedded, slice };
  }

  /** The store drops duplicates that are still in flight. */
  private async newChunks(chunks: Chunk[]): Promise<Pick<Piece, 'chunks' | 'units'>> {
    if (!this.claimed.options.hygiene.dedupeUnits) return { chunks, units: null };
    const units = chunks.map(({ text }) => createHash('sha256').update(text).digest().subarray(0, 16));
    const known = await this.parts.store.knownUnits(this.lease, units);
    const isNew = (_: unknown, index: number) => !known[index];
    return { chunks: chunks.filter(isNew), units: units.filter(isNew) };
  }

  private commit(piece: Piece, progress: Progress): Promise<boolean> {
    const storing = this.store(piece, progress);
    storing.catch(() => undefined);
    return storing;
  }

  private async store({ chunks, units, embedded, slice }: Piece, progress: Progress): Promise<boolean> {
    const { store, onChunks } = this.parts;
    this.signal.throwIfAborted();
    progress.notes.push(...(slice.notes ?? []));
    const batch: ChunkBatch = {
      chunks,
      units,
      embedded,
      checkpoint: { ...progress, next: slice.next },
      progress: Math.min(slice.done, 1),
      notes: shownNotes(progress.notes),
      leaseMs: LEASE_MS,
    };
    const stored = await store.commit(this.lease, batch);
    if (stored === null) return false;
    this.stored += stored;
    onChunks(stored);
    return true;
  }

  private async endWith(error: unknown): Promise<RunResult> {
    const { store } = this.parts;
    if (this.signal.aborted) {
      await store.release(this.lease, false);
      return 'lost';
    }
    if (error instanceof UnreadableDocument) return this.fail(error.message);
    if (!(error instanceof RuntimeError)) {
      // Dropping a store deletes the files that are being read.
      if (await this.hasEnded()) return 'lost';
      throw error;
    }
    if (error.code !== 'unavailable') return this.fail(error.message);
    await store.release(this.lease, false);
    return 'later';
  }

  private async hasEnded(): Promise<boolean> {
    const isOurs = await this.parts.store.renew(this.lease, LEASE_MS).catch(() => true);
    return !isOurs;
  }

  private async fail(message: string): Promise<RunResult> {
    const { store, effects } = this.parts;
    return (await store.fail(this.lease, message, effects.now())) ? 'over' : 'lost';
  }

  private givenUp(): string {
    const { job } = this.claimed;
    const where = job.processedChunks > 0 ? ` behind the first ${job.processedChunks} chunks` : '';
    return `It was given up after ${MAX_ATTEMPTS} attempts: reading it${where} ended the reader, or the server, each time. Split the file or convert it, and upload that.`;
  }
}

const MAX_NOTES = 20;
const MAX_NOTE = 500;

/** Names in them are the document's. */
function shownNotes(notes: readonly string[]): string[] {
  const shown = [...new Set(notes)].map((note) => {
    const line = note.replace(/\p{Cc}+/gu, ' ').toWellFormed();
    return line.length > MAX_NOTE ? `${line.slice(0, MAX_NOTE).toWellFormed()}...` : line;
  });
  const more = shown.length - MAX_NOTES;
  return more > 0 ? [...shown.slice(0, MAX_NOTES), `There are ${more} more notes.`] : shown;
}

const HINTS: Partial<Record<DocumentFormat, string>> = {
  pdf: ' It may be scanned: run a text recognition (OCR) over it first.',
  docx: ' It may hold images alone.',
};

function emptyDocument({ options }: ClaimedJob): string {
  const { removeUrls, stripHtml, dropEmptyValues } = options.hygiene;
  const cleaned =
    removeUrls || stripHtml || dropEmptyValues ? ' What there was, the hygiene options have taken out.' : '';
  return `No extractable text was found in the file.${HINTS[options.format] ?? ''}${cleaned}`;
}
