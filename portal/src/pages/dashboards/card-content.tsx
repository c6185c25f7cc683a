import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { messageOf } from '../../api/errors.ts';
import { Chart } from '../../card/chart.tsx';
import { DataTable } from '../../card/data-table.tsx';
import { basisInWords, notesForPeople } from '../../card/words.ts';
import { CasesLink } from '../../feed/cases-link.tsx';
import { LOCALE, serverText, t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/states.tsx';
import type { PageRange } from './page-range.ts';

export type CardQuery = UseQueryResult<Schemas['RenderedCard'], unknown>;

/** The chart or the table; the error only if there is no earlier answer. */
export function CardBody({ query, isTable }: { query: CardQuery; isTable: boolean }) {
  const { data, error, isPlaceholderData } = query;
  if (!data) {
    return (
      <div className="card-body">
        {error ? <ErrorNotice error={error} onRetry={() => void query.refetch()} /> : <Waiting />}
      </div>
    );
  }
  return (
    <div className="card-body" data-old={isPlaceholderData ? '' : undefined}>
      {isTable ? <DataTable rendered={data} /> : <Chart rendered={data} />}
    </div>
  );
}

/** Longer than nearly all answers take. */
const SLOW_MS = 3_000;

/** The place of the chart; after a while it says that the answer takes long. */
function Waiting() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="skeleton waiting" role="status">
      {isSlow && <p className="small">{t('Still computing. Long ranges and many groups take longer.')}</p>}
    </div>
  );
}

/** The basis of the answer and its notes, which `open` unfolds. */
export function CardFoot({ query, range, open = false }: { query: CardQuery; range: PageRange; open?: boolean }) {
  const { data, error } = query;
  if (!data) return <div className="card-foot" />;
  if (error) {
    return (
      <div className="card-foot" role="alert">
        <p className="field-error">{t('Not refreshed')}</p>
        <Unfolding label={t('Details')}>{messageOf(error)}</Unfolding>
        <Button onClick={() => void query.refetch()}>{t('Try again')}</Button>
      </div>
    );
  }
  const notes = notesForPeople(data.notes);
  const isOverridden = range.dateFrom !== undefined || range.dateTo !== undefined;
  return (
    <div className="card-foot muted">
      <p>
        {isOverridden && <span className="badge">{t('Range of the page')}</span>} {basisInWords(data.basis, LOCALE)}
        {open && <CasesLink isInline cases={data.basis.cases} />}
      </p>
      {notes.length > 0 && (
        <Unfolding label={t('Note')} open={open}>
          {notes.map(serverText).join(' ')}
        </Unfolding>
      )}
    </div>
  );
}

function Unfolding({ label, open = false, children }: { label: string; open?: boolean; children: string }) {
  return (
    <details open={open}>
      <summary>{label}</summary>
      <p>{children}</p>
    </details>
  );
}
