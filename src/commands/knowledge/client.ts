import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, RuntimeError } from '../../core/base/shared/errors.ts';
import type { SearchAnswer, ShownJob } from '../../core/knowledge/schema.ts';
import type { Destination } from '../../importing/send.ts';

const VECTORS = '/api/v1/runtime/v1/vectors';
const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 1_000;
/** A restarted server continues its jobs. */
const RESTART_TIMEOUT_MS = 60_000;
/** With the 30 seconds that a full queue asks for: ten minutes. */
const MAX_ATTEMPTS = 20;

const CODES: Record<number, ErrorCode> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'unprocessable',
  429: 'rate_limited',
};

/** The server would refuse it again. */
export class RefusedUpload extends RuntimeError {
  /** The server may accept another file. */
  get isOfFile(): boolean {
    return this.code === 'invalid' || this.code === 'unprocessable' || this.code === 'rate_limited';
  }
}

/** The server says when to send it again. */
class TryLater extends Error {
  readonly afterMs: number;

  constructor(message: string, afterMs: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

export interface FileToSend {
  path: string;
  name: string;
  fields: Record<string, string>;
}

export interface Accepted {
  jobId: string;
  /** Notes on what was ignored. */
  notes: string[];
}

export class KnowledgeClient {
  private readonly destination: Destination;
  private readonly signal: AbortSignal;

  constructor(destination: Destination, signal: AbortSignal) {
    this.destination = destination;
    this.signal = signal;
  }

  /** Resolves once the file is on the server's disk. Sends it again when the server asks for it. */
  async send(file: FileToSend, onSent: (bytes: number) => void): Promise<Accepted> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.sendOnce(file, onSent);
      } catch (error) {
        if (!(error instanceof TryLater) || attempt === MAX_ATTEMPTS) throw error;
        await sleep(error.afterMs, undefined, { signal: this.signal });
      }
    }
  }

  private async sendOnce({ path, name, fields }: FileToSend, onSent: (bytes: number) => void): Promise<Accepted> {
    const body = await multipartBody(fields, { field: 'file', path, name }).catch((error: unknown) => {
      throw new RefusedUpload('invalid', 'The file cannot be read.', { cause: error });
    });
    body.onRead = onSent;
    const response = await this.ask(`${VECTORS}/files/ingest`, {
      method: 'POST',
      headers: { 'content-type': body.type },
      ...withoutCopy(body),
    });
    const { jobId, notes = [] } = await answerOf<{ jobId: string; notes?: string[] }>(response);
    return { jobId, notes };
  }

  async watch(jobId: string, onProgress: (job: ShownJob) => void): Promise<ShownJob> {
    let lastAnswer = Date.now();
    for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * 2, MAX_POLL_MS)) {
      const job = await this.job(jobId).catch((error: unknown) => {
        const isFinal =
          error instanceof RefusedUpload || this.signal.aborted || Date.now() - lastAnswer > RESTART_TIMEOUT_MS;
        if (isFinal) throw error;
        return null;
      });
      if (job) {
        lastAnswer = Date.now();
        onProgress(job);
        if (job.status === 'completed' || job.status === 'failed') return job;
      }
      await sleep(pause, undefined, { signal: this.signal });
    }
  }

  async search(vectorStore: string, request: object): Promise<SearchAnswer> {
    const response = await this.ask(`${VECTORS}/stores/${encodeURIComponent(vectorStore)}/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    return answerOf(response);
  }

  addressOf(jobId: string): string {
    return `${this.destination.url}${VECTORS}/ingestion-jobs/${jobId}`;
  }

  private async job(jobId: string): Promise<ShownJob> {
    return answerOf(await this.ask(`${VECTORS}/ingestion-jobs/${jobId}`, {}));
  }

  private async ask(path: string, init: RequestInit): Promise<Response> {
    const { url, apiKey, fetch } = this.destination;
    try {
      const headers = { ...init.headers, 'x-api-key': apiKey };
      return await fetch(`${url}${path}`, { ...init, headers, signal: this.signal });
    } catch (error) {
      if (this.signal.aborted) throw error;
      const { cause, message, name } = error as Error & { cause?: Error };
      if (name === 'NotReadableError') {
        throw new RefusedUpload('invalid', 'The file was changed while it was sent.', { cause: error });
      }
      const reason = cause?.message || (cause as NodeJS.ErrnoException | undefined)?.code || message;
      throw new Error(`${url} cannot be reached: ${reason}. Is the server running there?`, { cause: error });
    }
  }
}

/** `fetch` would keep a copy of the body in memory for redirects. */
function withoutCopy(body: MultipartBody): RequestInit {
  return { body, redirect: 'error' };
}

const REMEDIES: Record<number, string> = {
  401: 'Set AGENT_RUNTIME_API_KEY to a key of this server.',
  403: 'Ingesting needs a key with the scopes knowledge:write and knowledge:read, searching one with knowledge:read.',
  413: 'The server takes more where AGENT_RUNTIME_UPLOAD_LIMIT (megabytes) is higher.',
};

/** Throws `Refused` for an error that the caller can fix. */
async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (response.ok) return (await response.json()) as Answer;
  const { status } = response;
  const { message } = (await response.json().catch(() => ({}))) as { message?: string | string[] };
  const messages = [message ?? `The server answered ${status}.`].flat();
  if (status in REMEDIES) messages.push(REMEDIES[status]!);
  const text = messages.join(' ');
  const retryAfter = response.headers.get('retry-after');
  if (retryAfter !== null && (status === 503 || status === 429)) throw new TryLater(text, Number(retryAfter) * 1_000);
  if (status >= 500 || status === 408) throw new Error(text);
  throw new RefusedUpload(CODES[status] ?? 'invalid', text, { messages });
}

/** Streams its file. Every `fetch` accepts a Blob, but only its own FormData. */
export class MultipartBody extends Blob {
  /** Bytes. */
  onRead: (read: number) => void = () => undefined;

  override stream(): ReturnType<Blob['stream']> {
    let read = 0;
    const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        read += chunk.length;
        this.onRead(read);
        controller.enqueue(chunk);
      },
    });
    return super.stream().pipeThrough(count);
  }
}

export async function multipartBody(
  fields: Record<string, string>,
  file: { field: string; path: string; name: string },
): Promise<MultipartBody> {
  const boundary = `agent-runtime-${randomUUID()}`;
  const part = (header: string) => `--${boundary}\r\nContent-Disposition: form-data; ${header}\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`);
  const head = part(`name="${file.field}"; filename="${quoted(file.name)}"`);
  const type = 'Content-Type: application/octet-stream\r\n\r\n';
  const content = await openAsBlob(file.path);
  return new MultipartBody([...texts, head, type, content, `\r\n--${boundary}--\r\n`], {
    type: `multipart/form-data; boundary=${boundary}`,
  });
}

/** Escapes as browsers do. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
