import { useEffect, useId, useRef, useState } from 'react';
import { invalidate, useSession } from '../../../api/session.ts';
import { LOCALE, t } from '../../../language/index.ts';
import { useAgent } from '../../../shell/remembered.ts';
import { Button } from '../../../ui/button.tsx';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice, Loading } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
import { useSendReason } from '../reasons.ts';
import { ColumnsTable } from './columns-table.tsx';
import { type CsvTable, type Mapping, mappedRows, mappingProblem, readTable } from './mapping.ts';
import { type ImportedRows, idPrefixOf, sendRows } from './send.ts';
import { type DecodedText, decode, type EncodingName } from './text.ts';

/** The text and its rows are in the memory of the page. */
const MOST_BYTES = 100 * 1024 * 1024;
const SHOWN_PROBLEMS = 10;

interface CsvImportProps {
  file: File | null;
  onFile(file: File | null): void;
  onNext(): void;
}

interface ReadCsv {
  file: File;
  bytes: Uint8Array<ArrayBuffer>;
  decoded: DecodedText;
  table: CsvTable;
}

export function CsvImport({ file, onFile, onNext }: CsvImportProps) {
  const reason = useSendReason();
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <div className="stack">
      <div className="drop-zone stack tight">
        <p>
          {t('Drop a CSV file anywhere on this page, or choose one. Its columns are shown before anything is sent.')}
        </p>
        <div className="row">
          <Button reason={reason} onClick={() => input.current?.click()}>
            {t('Choose a file')}
          </Button>
          <label htmlFor={id} className="visually-hidden">
            {t('CSV file')}
          </label>
          <input
            ref={input}
            id={id}
            className="visually-hidden"
            type="file"
            tabIndex={-1}
            accept=".csv,.tsv,.txt,text/csv"
            onChange={({ currentTarget }) => {
              const [first] = currentTarget.files ?? [];
              if (first) onFile(first);
              currentTarget.value = '';
            }}
          />
          <span className="muted small breaking">{reason ?? file?.name}</span>
        </div>
      </div>
      {file && reason === undefined && (
        <CsvFile key={`${file.name} ${file.size} ${file.lastModified}`} file={file} onNext={onNext} />
      )}
    </div>
  );
}

function CsvFile({ file, onNext }: { file: File; onNext(): void }) {
  const { read, error, readAs } = useRead(file);
  if (error !== null) return <ErrorNotice error={error} />;
  if (!read) return <Loading height={200} />;
  const { problem } = read.table;
  if (problem !== undefined) return <ErrorNotice error={new Error(`${file.name}: ${problem}`)} />;
  return <CsvColumns key={read.decoded.encoding} read={read} onEncoding={readAs} onNext={onNext} />;
}

function useRead(file: File) {
  const [read, setRead] = useState<ReadCsv | null>(null);
  const { error, run } = useTask();
  const readAs = (encoding?: EncodingName) =>
    run(async () => {
      if (file.size > MOST_BYTES) {
        throw new Error(t('{name} has more than 100 MB. Import it with “agent-runtime import”.', file));
      }
      const bytes = read?.bytes ?? new Uint8Array(await file.arrayBuffer());
      const decoded = decode(bytes, encoding);
      setRead({ file, bytes, decoded, table: await readTable(decoded.text, LOCALE) });
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file is read once, and another is another component
  useEffect(() => void readAs(), [file]);
  return { read, error, readAs };
}

interface CsvColumnsProps {
  read: ReadCsv;
  onEncoding(encoding: EncodingName): void;
  onNext(): void;
}

function CsvColumns({ read, onEncoding, onNext }: CsvColumnsProps) {
  const { file, bytes, decoded, table } = read;
  const agentId = useAgent();
  const { tenant } = useSession();
  const [mapping, setMapping] = useState<Mapping>(() => firstMapping(table, file.name, tenant.timezone));
  const [progress, setProgress] = useState<ImportedRows | null>(null);
  const [end, setEnd] = useState<'done' | 'cancelled' | null>(null);
  const { error, isBusy, run } = useTask();
  const missing = mappingProblem(mapping);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const send = () =>
    run(async () => {
      stop.current = new AbortController();
      const { signal } = stop.current;
      let sent: ImportedRows | null = null;
      const onProgress = (result: ImportedRows) => {
        sent = result;
        setProgress(result);
      };
      setEnd(null);
      setProgress(null);
      const rows = mappedRows(decoded.text, table, { ...mapping, agentId });
      try {
        const result = await sendRows(rows, await idPrefixOf(bytes), { onProgress, signal });
        setEnd('done');
        announce(resultInWords(result));
      } catch (error) {
        if (!signal.aborted) throw error;
        setEnd('cancelled');
        announce(cancelledInWords(sent, table));
      }
      await invalidate((path) => path.startsWith('/api/v1/portal/'));
    });
  return (
    <div className="stack">
      <ColumnsTable
        table={table}
        decoded={decoded}
        mapping={mapping}
        onChange={(changed) => setMapping({ ...mapping, ...changed })}
        onEncoding={onEncoding}
      />
      {error !== null && <ErrorNotice error={error} onRetry={() => void send()} />}
      <div className="row">
        <Button look="primary" reason={missing ?? undefined} disabled={isBusy} onClick={() => void send()}>
          {t.count(table.rows, 'Import {count} row', 'Import {count} rows')}
        </Button>
        {isBusy && <Button onClick={() => stop.current?.abort()}>{t('Cancel')}</Button>}
        <span className="muted small">{missing}</span>
      </div>
      {isBusy && <ImportBar done={progress?.read ?? 0} all={table.rows} />}
      {end === 'cancelled' && <p className="notice">{cancelledInWords(progress, table)}</p>}
      {end === 'done' && progress && <ImportResult result={progress} onNext={onNext} />}
      <LeaveGuard isDirty={() => isBusy} asked={LEAVING} />
    </div>
  );
}

const LEAVING = {
  title: t('Cancel the import?'),
  description: t('Not all rows are sent yet. If you leave, the others are not sent.'),
  leave: t('Cancel the import'),
  afterLogin: t('Log in in a new tab, then import the file again here: no row is stored twice.'),
};

/** A name for the events of a file without names: that of the file, `orders_2026` for "Orders 2026.csv". */
function firstMapping({ columns }: CsvTable, fileName: string, timeZone: string): Mapping {
  const roles = columns.map(({ role }) => role);
  const time = columns.find(({ role }) => role === 'timestamp');
  const named = fileName
    .replace(/\.\w+$/, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
  return {
    roles,
    eventName: roles.includes('eventName') ? '' : named,
    timeFormat: time?.formats[0] ?? 'iso',
    timeZone,
  };
}

function ImportBar({ done, all }: { done: number; all: number }) {
  return (
    <div className="row">
      <progress className="grow" value={done} max={Math.max(all, 1)} aria-label={t('Rows that were sent')} />
      <span className="muted small">{t.count(all, '{done} of {count} row', '{done} of {count} rows', { done })}</span>
    </div>
  );
}

function ImportResult({ result, onNext }: { result: ImportedRows; onNext(): void }) {
  const { problems } = result;
  const more = problems.length - SHOWN_PROBLEMS;
  return (
    <div className="notice">
      <div className="stack tight hour-text">
        <p>{resultInWords(result)}</p>
        {problems.length > 0 && (
          <ul className="bullets small" aria-label={t('Rows that were not imported')}>
            {problems.slice(0, SHOWN_PROBLEMS).map(({ line, message }) => (
              <li key={`${line} ${message}`}>{t('Line {line}: {message}', { line: String(line), message })}</li>
            ))}
            {more > 0 && <li>{t.count(more, 'and {count} more row', 'and {count} more rows')}</li>}
          </ul>
        )}
      </div>
      <Button look="primary" onClick={onNext}>
        {t('Next step')}
      </Button>
    </div>
  );
}

function resultInWords({ accepted, duplicates, problems }: ImportedRows): string {
  const others = [
    ...(duplicates > 0
      ? [t.count(duplicates, '{count} row had been imported before', '{count} rows had been imported before')]
      : []),
    ...(problems.length > 0
      ? [t.count(problems.length, '{count} row could not be imported', '{count} rows could not be imported')]
      : []),
  ];
  return [t.count(accepted, '{count} event imported', '{count} events imported'), ...others].join('; ').concat('.');
}

function cancelledInWords(sent: ImportedRows | null, { rows }: CsvTable): string {
  return t.count(
    rows,
    'Cancelled: {read} of {count} row were sent. Import the file again to go on; no row is stored twice.',
    'Cancelled: {read} of {count} rows were sent. Import the file again to go on; no row is stored twice.',
    { read: sent?.read ?? 0 },
  );
}
