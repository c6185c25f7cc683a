import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';

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
