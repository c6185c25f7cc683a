import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/errors.ts';
import { t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { useTask } from '../../ui/refusal.tsx';
import { announce } from '../../ui/toast.tsx';
import { sizeOf } from '../settings/data/words.ts';
import { type ExportQuery, fetchExport, type Progress } from './export.ts';
import { fileNameOf, isDocument } from './formats.ts';

/** Saves the export as a file once it is complete: a file that breaks off in a line would pass for a whole one. */
export function Download({ query, total }: { query: ExportQuery; total: number }) {
  const { error, isBusy, run } = useTask();
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const { format } = query;
  const name = fileNameOf(format);
  const nothing = isDocument(format) ? t('There is no example to download.') : t('There is no line to download.');
  const save = () =>
    run(async () => {
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      try {
        const file = await fetchExport(query, { signal, onProgress: setProgress });
        download(name, file);
        announce(t('{name} is complete: {size}', { name, size: sizeOf(file.size) }));
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
          reason={total === 0 ? nothing : undefined}
          onClick={() => void save()}
        >
          {t('Download {name}', { name })}
        </Button>
        {isBusy && <Button onClick={() => running.current?.abort()}>{t('Cancel')}</Button>}
      </div>
      <p role="status">
        {isBusy && t('The download is under way. It is saved when it is complete: stay on this page.')}
      </p>
      {isBusy && <UnderWay progress={progress} total={isDocument(format) ? null : total} />}
      <div role="alert">{error !== null && <p className="field-error">{messageOf(error)}</p>}</div>
    </div>
  );
}

/** `total`: the lines of the whole file, if it has lines. */
function UnderWay({ progress, total }: { progress: Progress | null; total: number | null }) {
  const { bytes, lines } = progress ?? { bytes: 0, lines: 0 };
  const size = sizeOf(bytes);
  return (
    <>
      <progress aria-label={t('Download')} {...(total !== null && { max: total, value: Math.min(lines, total) })} />
      <p className="small muted">
        {total === null
          ? t('{size} so far', { size })
          : t.count(total, '{size} so far, {lines} of {count} line', '{size} so far, {lines} of {count} lines', {
              size,
              lines,
            })}
      </p>
    </>
  );
}
