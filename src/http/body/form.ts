import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy, { type Busboy, type FieldInfo, type FileInfo } from 'busboy';
import type { Upload, UploadStore } from '../../core/knowledge/uploads.ts';
import { invalid, type RuntimeError } from '../../core/shared/errors.ts';
import { HttpError } from '../errors.ts';
import { plainFileName } from './file-name.ts';

export const MAX_FIELD_BYTES = 64 * 1024;
/** What a body may have beside its file: fields, the headers of parts, boundaries. */
export const MAX_OTHER_BYTES = 2 * 1024 * 1024;
/** What may wait for the disk of one file; then its sender waits. */
const FILE_BUFFER_BYTES = 1024 * 1024;
const MAX_SHOWN_NAME = 100;

/** What a form may have, and where its file goes. */
export interface FormOptions {
  file: string;
  fields: readonly string[];
  maxFileBytes: number;
  store: UploadStore;
  /** Throws when no file of this name is taken. */
  checkName(fileName: string): void;
  /** Who sends nothing for so long has forgotten that they are sending. */
  stalledMs: number;
}

export interface Form {
  fields: Record<string, string>;
  file: { name: string; upload: Upload };
}

/** Reads a `multipart/form-data` body, its file straight to the store. Of a form that is refused nothing is left there. */
export function readForm(request: IncomingMessage, plan: FormOptions): Promise<Form> {
  return new FormReading(request, plan).form();
}

class FormReading {
  private readonly request: IncomingMessage;
  private readonly plan: FormOptions;
  private readonly parser: Busboy;
  private readonly over = new AbortController();
  private readonly fields = new Map<string, string>();
  private file: { name: string; received: Promise<Upload> } | null = null;
  private bytes = 0;

  constructor(request: IncomingMessage, plan: FormOptions) {
    this.request = request;
    this.plan = plan;
    this.parser = newParser(request, plan.maxFileBytes);
  }

  async form(): Promise<Form> {
    try {
      await this.parsed();
      const { fields, file, plan } = this;
      if (!file) throw invalid(`${plan.file}: is required; send the file in it, with its name`);
      const upload = await file.received;
      if (upload.size === 0) throw invalid(`${plan.file}: is empty; send a file that has content`);
      return { fields: Object.fromEntries(fields), file: { name: file.name, upload } };
    } catch (error) {
      await this.discard(error);
      throw error;
    }
  }

  /**
   * Resolves when the body has come to its end and rejects with the first fault. What listens only says so: to abort a file
   * within the parser's own events would take its stream from under it.
   */
  private async parsed(): Promise<void> {
    const { request, parser, plan } = this;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const orRefuse =
      <Heard extends unknown[]>(listener: (...heard: Heard) => void) =>
      (...heard: Heard) => {
        try {
          listener(...heard);
        } catch (error) {
          reject(error);
        }
      };
    parser.on('field', orRefuse(this.takeField.bind(this)));
    parser.on('file', (name, content, info) => {
      // It fails with the parser, and nobody may be reading it.
      content.on('error', () => undefined).once('limit', () => reject(tooLarge(plan)));
      orRefuse(this.takeFile.bind(this))(name, content, info);
      this.file?.received.catch(reject);
    });
    parser.on('error', (error: Error) => reject(malformed(error))).once('finish', resolve);
    const count = orRefuse(this.count.bind(this));
    const leave = () => {
      if (!request.complete) reject(invalid('body: ended before its announced length'));
    };
    const stall = () => reject(stalled(plan.stalledMs));
    const stopWaiting = () => request.socket.setTimeout(0);
    request.socket.setTimeout(plan.stalledMs);
    request.on('timeout', stall).once('end', stopWaiting).on('data', count).once('close', leave);
    request.on('error', () => undefined).pipe(parser);
    try {
      await promise;
    } finally {
      stopWaiting();
      request.off('timeout', stall).off('end', stopWaiting).off('data', count).off('close', leave).unpipe(parser);
    }
  }

  private takeField(name: string | undefined, value: string, { valueTruncated }: FieldInfo): void {
    const { file, fields } = this.plan;
    const shown = shownName(name);
    if (name === file) throw invalid(`${file}: must be sent as a file, with a file name`);
    if (name === undefined || !fields.includes(name)) throw unknownField(shown, this.plan);
    if (this.fields.has(name)) throw invalid(`${shown}: is there twice; send it once`);
    if (valueTruncated) throw invalid(`${shown}: exceeds ${MAX_FIELD_BYTES} bytes; send less in it`);
    // The parser puts it where bytes are none of the character set.
    if (value.includes('\ufffd')) throw invalid(`${shown}: is not valid UTF-8`);
    this.fields.set(name, value);
  }

  private takeFile(name: string | undefined, content: Readable, { filename = '' }: FileInfo): void {
    const { file, fields, store, checkName } = this.plan;
    const shown = shownName(name);
    if (name !== undefined && fields.includes(name))
      throw invalid(`${shown}: must be sent as text, without a file name`);
    if (name !== file) throw unknownField(shown, this.plan);
    // The parser goes on in the chunk that holds the form's end, and such a file would never end.
    if ((this.parser as Busboy & { _complete?: boolean })._complete)
      throw malformed(new Error('goes on after its end'));
    if (this.file) throw invalid(`${file}: is there twice; send one file with each request`);
    const fileName = plainFileName(filename);
    if (fileName === '') throw invalid(`${file}: has no file name; its extension tells how it is read`);
    checkName(fileName);
    this.file = { name: fileName, received: store.receive(content, this.over.signal) };
  }

  private count(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.plan.maxFileBytes + MAX_OTHER_BYTES) throw tooLarge(this.plan);
  }

  private async discard(error: unknown): Promise<void> {
    this.over.abort(error);
    this.parser.destroy();
    // One that was whole before something else was found wrong.
    const upload = await this.file?.received.catch(() => null);
    if (upload) await this.plan.store.remove(upload.id);
  }
}

function newParser({ headers }: IncomingMessage, maxFileBytes: number): Busboy {
  try {
    return busboy({
      headers,
      fileHwm: FILE_BUFFER_BYTES,
      defParamCharset: 'utf8',
      // What is as large as a limit already counts as cut off.
      limits: { fileSize: maxFileBytes + 1, fieldSize: MAX_FIELD_BYTES + 1 },
    });
  } catch {
    throw invalid('Content-Type: has no boundary; let the client that makes the body also set this header');
  }
}

/** Also for a Content-Length that says so before anything is read. */
export function tooLarge({ file, maxFileBytes }: Pick<FormOptions, 'file' | 'maxFileBytes'>): HttpError {
  return new HttpError(413, `${file}: exceeds the limit of ${maxFileBytes} bytes. Send it in smaller parts.`);
}

function malformed({ message }: Error): RuntimeError {
  const what = message === 'Malformed part header' ? 'the headers of a part are malformed' : 'it ends within a part';
  return invalid(`body: is not valid multipart/form-data: ${what}`);
}

function stalled(stalledMs: number): HttpError {
  return new HttpError(408, `Nothing more of the body came for ${stalledMs / 1_000} seconds. Send it again.`);
}

function unknownField(shown: string, { file, fields }: FormOptions): RuntimeError {
  return invalid(`${shown}: is none of the fields, which are ${[file, ...fields].join(', ')}`);
}

/** A name that somebody else chose, as long as a message can bear. */
function shownName(name = ''): string {
  if (name === '') return 'a part without a name';
  return name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME).toWellFormed()}...` : name;
}
