import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { useTask } from '../../ui/refusal.tsx';
import { announce } from '../../ui/toast.tsx';
import { sizeOf } from '../settings/data/words.ts';
import { type ExportQuery, fetchExport, type Progress } from './export.ts';
import { counted, fileNameOf, isDocument, nounOf } from './formats.ts';

/** Saves the export as a file once it is complete: a file that breaks off in a line would pass for a whole one. */
export function Download({ query, total }: { query: ExportQuery; total: number }) {
  const { error, isBusy, run } = useTask();
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const noun = nounOf(query.format);
  const save = () =>
    run(async () => {
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      const name = fileNameOf(query.format);
      try {
        const file = await fetchExport(query, { signal, onProgress: setProgress });
        download(name, file);
        announce(`${name} is complete: ${sizeOf(file.size)}`);
      } catch (fault) {
        if (!signal.aborted) throw fault;
      } finally {
        setProgress(null);
      }
    });
  return (
    <div className="stack tight">
      <div className="row">
        <Button
          look="primary"
          icon="download"
          disabled={isBusy}
          reason={total === 0 ? `There is no ${noun} to download.` : undefined}
          onClick={() => void save()}
        >
          Download {fileNameOf(query.format)}
        </Button>
        {isBusy && <Button onClick={() => running.current?.abort()}>Cancel</Button>}
      </div>
      <p role="status">{isBusy && 'The download is under way. It is saved when it is complete: stay on this page.'}</p>
      {isBusy && <UnderWay progress={progress} total={isDocument(query.format) ? null : total} />}
      <div role="alert">{error !== null && <p className="field-error">{messageOf(error)}</p>}</div>
    </div>
  );
}

/** `total`: the lines of the whole file, if it has lines. */
function UnderWay({ progress, total }: { progress: Progress | null; total: number | null }) {
  const { bytes, lines } = progress ?? { bytes: 0, lines: 0 };
  return (
    <>
      <progress aria-label="Download" {...(total !== null && { max: total, value: Math.min(lines, total) })} />
      <p className="small muted">
        {sizeOf(bytes)} so far
        {total !== null && `, ${lines.toLocaleString()} of ${counted(total, 'line')}`}
      </p>
    </>
  );
}
