import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { RenderedCard as ChartCard } from '../../../../src/charts/answer.ts';
import { api, type Schemas } from '../../api/client.ts';
import { Chart } from '../../card/chart.tsx';
import { DataTable } from '../../card/data-table.tsx';
import { Notes } from '../../card/notes.tsx';
import { basisInWords } from '../../card/words.ts';
import { LOCALE, t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { OtherMessages } from '../../ui/refusal.tsx';
import { ErrorNotice, Loading } from '../../ui/states.tsx';
import { configOf } from './config.ts';
import { type CardForm, type CardType, missingOf } from './state.ts';

interface PreviewPanelProps {
  preview: Preview;
  cardType: CardType;
  title: string;
  /** The server's messages without a field in the form. */
  messages: readonly string[];
  /** An error other than a wrong question. */
  fault: unknown;
}

/** The card with the form's config. While a new answer loads, the last picture stays, dimmed. */
export function PreviewPanel({ preview, cardType, title, messages, fault }: PreviewPanelProps) {
  const [asTable, setAsTable] = useState(false);
  const { rendered, isOld, missing } = preview;
  const shown = useMemo(
    () => (rendered?.card.cardType === cardType ? { ...rendered, card: { ...rendered.card, title } } : null),
    [rendered, cardType, title],
  );
  const isBusy = isOld && missing === null && messages.length === 0 && !preview.error;
  return (
    <section className="panel card-preview" aria-labelledby="preview-title">
      <div className="card-preview-head">
        <h2 id="preview-title">{title}</h2>
        <fieldset className="row" aria-label={t('Show as')}>
          <Button look={asTable ? 'quiet' : 'plain'} aria-pressed={!asTable} onClick={() => setAsTable(false)}>
            {t('Picture')}
          </Button>
          <Button look={asTable ? 'plain' : 'quiet'} aria-pressed={asTable} onClick={() => setAsTable(true)}>
            {t('Table')}
          </Button>
        </fieldset>
      </div>
      <OtherMessages messages={messages} />
      {fault !== null && <ErrorNotice error={fault} />}
      <div className={isOld || missing ? 'card-preview-body old' : 'card-preview-body'} aria-busy={isBusy}>
        {shown && (asTable ? <DataTable rendered={shown} /> : <Chart rendered={shown} />)}
        {!shown && missing === null && isBusy && <Loading height={240} />}
        {!shown && missing !== null && <p className="empty">{`${missing} ${t('The card then appears here.')}`}</p>}
      </div>
      <div className="small muted" role="status">
        {missing !== null ? shown && <p>{missing}</p> : shown && !isOld && <Basis rendered={shown} />}
      </div>
    </section>
  );
}

function Basis({ rendered: { basis, notes } }: { rendered: NonNullable<Preview['rendered']> }) {
  return (
    <>
      <p>{basisInWords(basis, LOCALE)}</p>
      <Notes notes={notes} />
    </>
  );
}

const PAUSE_MS = 300;
/** The title does not change the answer. */
const TITLE = 'Preview';

export type RenderedCard = ChartCard & { notes?: string[] | undefined };

export interface Preview {
  /** The last answer; null before the first. */
  rendered: RenderedCard | null;
  /** True if the answer is that of an earlier form. */
  isOld: boolean;
  error: unknown;
  /** The field to choose first. */
  missing: string | null;
}

/** The answer of the form's card, requested after a pause in typing. A new request aborts the one before. */
export function usePreview(form: CardForm, agentId: string): Preview {
  const missing = missingOf(form);
  const body = { title: TITLE, agentId, cardType: form.cardType, config: configOf(form) } as Schemas['PreviewCard'];
  const wanted = missing === null ? JSON.stringify(body) : null;
  const asked = useRested(wanted);
  const query = api.queryOptions('post', '/api/v1/runtime/observability/dashboard-cards/preview', {
    body: asked === null ? body : (JSON.parse(asked) as Schemas['PreviewCard']),
  });
  const found = useQuery({ ...query, enabled: asked !== null, placeholderData: keepPreviousData, retry: false });
  const answer = (found.data as RenderedCard | undefined) ?? null;
  const [last, setLast] = useState(answer);
  if (answer !== null && answer !== last) setLast(answer);
  return {
    rendered: answer ?? last,
    isOld: wanted !== asked || found.isPlaceholderData || found.isFetching || answer === null,
    error: asked !== null && asked === wanted ? found.error : null,
    missing,
  };
}

/** The value after a pause without changes (debounce); the first value immediately. */
function useRested(value: string | null): string | null {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    if (value === rested) return undefined;
    const timer = setTimeout(() => setRested(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value, rested]);
  return rested;
}
