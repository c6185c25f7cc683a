import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy, { type Busboy, type FieldInfo, type FileInfo } from 'busboy';
import { PeriodicTask, type Timers } from '../../core/base/concurrency/timers.ts';
import { invalid, type RuntimeError } from '../../core/base/shared/errors.ts';
import type { Upload, UploadStore } from '../../core/knowledge/uploads.ts';
import { HttpError } from '../errors.ts';

const MAX_LENGTH = 255;

/** Control characters, and bidirectional overrides that show `vsc.exe` as `exe.csv`. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** For display and citation, never a path: no directories, at most 255 characters. */
export function plainFileName(sent: string): string {
  const name = sent
    .replace(INVISIBLE, '')
    .replace(/^.*[/\\]/s, '')
    .trim()
    .toWellFormed();
  if (name.length <= MAX_LENGTH) return name;
  const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? '';
  const stem = name.slice(0, MAX_LENGTH - extension.length).replace(/[\ud800-\udbff]$/, '');
  return (stem + extension).trimEnd();
}

export const MAX_FIELD_BYTES = 64 * 1024;
export const MAX_OTHER_BYTES = 2 * 1024 * 1024;
/** Buffer between socket and disk; backpressure beyond it. As much again is being written. */
const FILE_BUFFER_BYTES = 1024 * 1024;
/** The least that must come of an unfinished body in `stalledMs`. */
export const MIN_PROGRESS_BYTES = 16 * 1024;
const MAX_SHOWN_NAME = 100;

interface FormOptions {
  file: string;
  fields: readonly string[];
  maxFileBytes: number;
  store: UploadStore;
  /** Throws for an unsupported format. */
  checkName(fileName: string): void;
  /** The upload fails with 408 when fewer than MIN_PROGRESS_BYTES come in so many milliseconds. */
  stalledMs: number;
  timers?: Timers | undefined;
}

export interface FormContent {
  fields: Record<string, string>;
  file: { name: string; upload: Upload };
}

/** Streams the file of a `multipart/form-data` body to the store. A refused form leaves no file. */
export function readForm(request: IncomingMessage, options: FormOptions): Promise<FormContent> {
  return new FormReading(request, options).form();
}

class FormReading {
  private readonly request: IncomingMessage;
  private readonly options: FormOptions;
  private readonly parser: Busboy;
  private readonly controller = new AbortController();
  private readonly fields = new Map<string, string>();
  private file: { name: string; received: Promise<Upload> } | null = null;
  private bytes = 0;

  constructor(request: IncomingMessage, options: FormOptions) {
    this.request = request;
    this.options = options;
    this.parser = newParser(request, options.maxFileBytes);
  }

  async form(): Promise<FormContent> {
    try {
      await this.parse();
      const { fields, file, options } = this;
      if (!file) throw invalid(`${options.file}: is required; send the file in it, with its name`);
      const upload = await file.received;
      if (upload.size === 0) throw invalid(`${options.file}: is empty; send a file that has content`);
      return { fields: Object.fromEntries(fields), file: { name: file.name, upload } };
    } catch (error) {
      await this.discard(error);
      throw error;
    }
  }

  /** Listeners only record faults, because the parser still uses its streams during an event. */
  private async parse(): Promise<void> {
    const { request, parser, options } = this;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const rejecting =
      <Args extends unknown[]>(listener: (...args: Args) => void) =>
      (...args: Args) => {
        try {
          listener(...args);
        } catch (error) {
          reject(error);
        }
      };
    parser.on('field', rejecting(this.receiveField.bind(this)));
    parser.on('file', (name, content, info) => {
      // The stream fails with the parser, perhaps before the store reads it.
      content.on('error', () => undefined).once('limit', () => reject(tooLarge(options)));
      rejecting(this.receiveFile.bind(this))(name, content, info);
      this.file?.received.catch(reject);
    });
    parser.on('error', (error: Error) => reject(malformed(error))).once('finish', resolve);
    const count = rejecting(this.count.bind(this));
    const onClose = () => {
      // A complete body may be lost too: what has not been read goes with the connection.
      if (!request.readableEnded) reject(invalid('body: ended before its announced length'));
    };
    let known = 0;
    const checkProgress = () => {
      // A complete body waits for the disk alone.
      if (this.bytes - known < MIN_PROGRESS_BYTES && !request.complete) reject(stalled(options.stalledMs));
      known = this.bytes;
    };
    const progress = new PeriodicTask({ everyMs: options.stalledMs, run: checkProgress, timers: options.timers });
    request.on('data', count).once('close', onClose);
    request.on('error', () => undefined).pipe(parser);
    try {
      await promise;
    } finally {
      void progress.close();
      request.off('data', count).off('close', onClose).unpipe(parser);
    }
  }

  private receiveField(name: string | undefined, value: string, { valueTruncated }: FieldInfo): void {
    const { file, fields } = this.options;
    const shown = shownName(name);
    if (name === file) throw invalid(`${file}: must be sent as a file, with a file name`);
    if (name === undefined || !fields.includes(name)) throw unknownField(shown, this.options);
    if (this.fields.has(name)) throw invalid(`${shown}: is there twice; send it once`);
    if (valueTruncated) throw invalid(`${shown}: exceeds ${MAX_FIELD_BYTES} bytes; send less in it`);
    // The parser's replacement for invalid bytes.
    if (value.includes('\ufffd')) throw invalid(`${shown}: is not valid UTF-8`);
    this.fields.set(name, value);
  }

  private receiveFile(name: string | undefined, content: Readable, { filename = '' }: FileInfo): void {
    const { file, fields, store, checkName } = this.options;
    const shown = shownName(name);
    if (name !== undefined && fields.includes(name))
      throw invalid(`${shown}: must be sent as text, without a file name`);
    if (name !== file) throw unknownField(shown, this.options);
    // The parser continues after the form's end within a chunk; such a file would never end.
    if ((this.parser as Busboy & { _complete?: boolean })._complete)
      throw malformed(new Error('goes on after its end'));
    if (this.file) throw invalid(`${file}: is there twice; send one file with each request`);
    const fileName = plainFileName(filename);
    if (fileName === '') throw invalid(`${file}: has no file name; its extension tells how it is read`);
    checkName(fileName);
    this.file = { name: fileName, received: store.receive(content, this.controller.signal) };
  }

  private count(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.options.maxFileBytes + MAX_OTHER_BYTES) throw tooLarge(this.options);
  }

  private async discard(error: unknown): Promise<void> {
    this.controller.abort(error);
    this.parser.destroy();
    // The file may be complete when a later part is refused.
    const upload = await this.file?.received.catch(() => null);
    if (upload) await this.options.store.remove(upload.id);
  }
}

function newParser({ headers }: IncomingMessage, maxFileBytes: number): Busboy {
  try {
    return busboy({
      headers,
      fileHwm: FILE_BUFFER_BYTES,
      defParamCharset: 'utf8',
      // busboy counts a value of exactly the limit as truncated.
      limits: { fileSize: maxFileBytes + 1, fieldSize: MAX_FIELD_BYTES + 1 },
    });
  } catch {
    throw invalid('Content-Type: has no boundary; let the client that makes the body also set this header');
  }
}

export function tooLarge({ file, maxFileBytes }: Pick<FormOptions, 'file' | 'maxFileBytes'>): HttpError {
  return new HttpError(413, `${file}: exceeds the limit of ${maxFileBytes} bytes. Send it in smaller parts.`);
}

function malformed({ message }: Error): RuntimeError {
  const what = message === 'Malformed part header' ? 'the headers of a part are malformed' : 'it ends within a part';
  return invalid(`body: is not valid multipart/form-data: ${what}`);
}

function stalled(stalledMs: number): HttpError {
  const minimum = `${MIN_PROGRESS_BYTES / 1024} KB`;
  return new HttpError(
    408,
    `Less than ${minimum} of the body came within ${stalledMs / 1_000} seconds. Send it again.`,
  );
}

function unknownField(shown: string, { file, fields }: FormOptions): RuntimeError {
  return invalid(`${shown}: is none of the fields, which are ${[file, ...fields].join(', ')}`);
}

function shownName(name = ''): string {
  if (name === '') return 'a part without a name';
  return name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME).toWellFormed()}...` : name;
}
