import type { paths } from '../../../../clients/typescript/api.d.ts';
import { answerOf, client } from '../../api/client.ts';
import { t } from '../../language/index.ts';
import type { Format } from './formats.ts';

const EXPORT = '/api/v1/runtime/v1/observability/reviews/export/training-data';
export const COUNTS = `${EXPORT}/counts` as const;

export type ExportQuery = paths[typeof COUNTS]['get']['parameters']['query'] & { format: Format };

/** The export as the server streams it. */
export async function openExport(query: ExportQuery, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const body = await answerOf(client.GET(EXPORT, { params: { query }, parseAs: 'stream', signal }));
  return body ?? new Blob().stream();
}

export interface Progress {
  bytes: number;
  lines: number;
}

const LINE_END = 10;

/** The whole export. The page holds no part of it: browsers keep large blobs on the disk. */
export async function fetchExport(
  query: ExportQuery,
  { signal, onProgress }: { signal: AbortSignal; onProgress(progress: Progress): void },
): Promise<Blob> {
  const body = await openExport(query, signal);
  let [bytes, lines] = [0, 0];
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === LINE_END) lines += 1;
      onProgress({ bytes, lines });
      controller.enqueue(chunk);
    },
  });
  try {
    return await new Response(body.pipeThrough(counter)).blob();
  } catch {
    throw new Error(t('The export broke off before its end, and nothing was saved. Start it again.'));
  }
}
