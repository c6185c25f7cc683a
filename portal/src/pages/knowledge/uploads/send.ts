import { basePath, reportSessionEnd } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { contentsChanged, INGEST } from '../knowledge.ts';
import { outcomeOf } from './outcome.ts';
import { type NewUpload, type SendOutcome, UploadQueue } from './queue.ts';

/** XMLHttpRequest tells how much was sent, which `fetch` does not. */
function send(
  { store, file, fields }: NewUpload,
  { onProgress, signal }: { onProgress(bytes: number): void; signal: AbortSignal },
): Promise<SendOutcome> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ vectorStore: store, ...fields })) form.set(name, value);
  form.set('file', file);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', basePath + INGEST.slice(1));
    request.setRequestHeader('x-requested-with', 'portal');
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size));
    request.onload = () => {
      if (request.status === 401) reportSessionEnd();
      const { status, responseText } = request;
      resolve(outcomeOf({ status, text: responseText, retryAfter: request.getResponseHeader('retry-after') }));
    };
    request.onerror = () => resolve({ state: 'broken' });
    request.onabort = () => resolve({ state: 'cancelled' });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal.addEventListener('abort', () => [clearTimeout(timer), resolve()], { once: true });
  });
}

/** The files that this window sends, to all stores. */
export const uploads = new UploadQueue({ send, pause, onSent: () => void contentsChanged() });

window.addEventListener('beforeunload', (event) => {
  if (uploads.isBusy) event.preventDefault();
});

export const BROKEN = t(
  'The connection broke, and nothing of the file was stored. Check the connection and send it again.',
);
