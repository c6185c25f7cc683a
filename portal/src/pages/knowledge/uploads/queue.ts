/** The end of a request that sent a file. */
export type SendOutcome =
  | { state: 'sent'; notes: readonly string[] }
  /** The server asks to be asked again after so many seconds. */
  | { state: 'busy'; seconds: number }
  | { state: 'refused'; message: string }
  /** The connection broke: nothing was stored. */
  | { state: 'broken' }
  | { state: 'cancelled' };

export interface NewUpload {
  store: string;
  /** With its folders. */
  path: string;
  file: File;
  fields: Readonly<Record<string, string>>;
  /** Why it is not sent at all. */
  refusal?: string | undefined;
}

export interface FileUpload extends NewUpload {
  id: number;
  state: 'waiting' | 'sending' | SendOutcome['state'];
  sentBytes: number;
  message: string | null;
  notes: readonly string[];
}

interface QueueParts {
  send(upload: NewUpload, options: { onProgress(bytes: number): void; signal: AbortSignal }): Promise<SendOutcome>;
  pause(seconds: number, signal: AbortSignal): Promise<void>;
  onSent(): void;
}

/** A browser has six connections to a server with HTTP/1.1, and pages need some. */
const AT_ONCE = 3;
/** As the command line sends them. */
const ATTEMPTS = 20;

/** Sends files, a few at a time. One that fails holds up no other. It goes on while other pages are shown. */
export class UploadQueue {
  private readonly parts: QueueParts;
  private readonly uploads = new Map<number, FileUpload>();
  private readonly running = new Map<number, AbortController>();
  private readonly listeners = new Set<() => void>();
  private shown: readonly FileUpload[] | null = null;
  private lastId = 0;

  constructor(parts: QueueParts) {
    this.parts = parts;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** One list until something changes. */
  list = (): readonly FileUpload[] => {
    this.shown ??= [...this.uploads.values()];
    return this.shown;
  };

  /** True while files would be lost with the page. */
  get isBusy(): boolean {
    return this.running.size > 0;
  }

  add(files: readonly NewUpload[]): void {
    for (const file of files) {
      this.lastId += 1;
      const state = file.refusal === undefined ? 'waiting' : 'refused';
      const message = file.refusal ?? null;
      this.uploads.set(this.lastId, { ...file, id: this.lastId, state, sentBytes: 0, message, notes: [] });
    }
    this.changed();
    this.begin();
  }

  retry(id: number): void {
    this.change(id, { state: 'waiting', sentBytes: 0, message: null });
    this.begin();
  }

  /** Files whose connection broke. */
  retryAll(store: string): void {
    for (const upload of this.list()) {
      if (upload.store === store && upload.state === 'broken') this.retry(upload.id);
    }
  }

  /** Ends it where it is sent, and forgets it. */
  remove(id: number): void {
    this.running.get(id)?.abort();
    this.uploads.delete(id);
    this.changed();
  }

  forgetSent(store: string): void {
    for (const upload of this.list()) {
      if (upload.store === store && upload.state === 'sent') this.uploads.delete(upload.id);
    }
    this.changed();
  }

  private begin(): void {
    for (const upload of this.uploads.values()) {
      if (this.running.size >= AT_ONCE) return;
      if (upload.state === 'waiting' && !this.running.has(upload.id)) void this.run(upload);
    }
  }

  private async run(upload: FileUpload): Promise<void> {
    const { id } = upload;
    const controller = new AbortController();
    this.running.set(id, controller);
    const outcome = await this.sendUntilTaken(upload, controller.signal);
    this.running.delete(id);
    if (outcome.state === 'sent') {
      this.change(id, { state: 'sent', sentBytes: upload.file.size, notes: outcome.notes });
      this.parts.onSent();
    } else if (outcome.state === 'refused') this.change(id, outcome);
    else this.change(id, { state: outcome.state });
    this.begin();
  }

  private async sendUntilTaken(upload: FileUpload, signal: AbortSignal): Promise<SendOutcome> {
    const { id } = upload;
    const onProgress = (sentBytes: number) => this.change(id, { sentBytes });
    for (let attempt = 1; ; attempt += 1) {
      this.change(id, { state: 'sending', sentBytes: 0 });
      const outcome = await this.parts.send(upload, { onProgress, signal });
      if (signal.aborted) return { state: 'cancelled' };
      if (outcome.state !== 'busy' || attempt === ATTEMPTS) return outcome;
      this.change(id, { state: 'busy', sentBytes: 0 });
      await this.parts.pause(outcome.seconds, signal);
      if (signal.aborted) return { state: 'cancelled' };
    }
  }

  private change(id: number, members: Partial<FileUpload>): void {
    const upload = this.uploads.get(id);
    if (!upload) return;
    this.uploads.set(id, { ...upload, ...members });
    this.changed();
  }

  private changed(): void {
    this.shown = null;
    for (const listener of this.listeners) listener();
  }
}
