import { type CSSProperties, useId, useLayoutEffect, useMemo, useState } from 'react';
import { arrange } from '../../../../src/charts/tab/arrange.ts';
import { Chart } from '../../card/chart.tsx';
import { DataTable } from '../../card/data-table.tsx';
import { basisInWords } from '../../card/words.ts';
import { LOCALE, t } from '../../language/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { setPageTitle } from '../../ui/page-title.ts';
import { type SharedCard, type SharedState, type SharedTab, toArrange } from './state.ts';
import { useSharedTab } from './use-shared-tab.ts';

/** A tab that its link opens. It is read only, and links to no other page. */
export function Shared({ address }: { address: string }) {
  const { tab, status, updatedAt, refresh } = useSharedTab(address);
  const title = status === 'ended' ? t('This link has ended') : (tab?.title ?? t('Shared dashboard'));
  useLayoutEffect(() => setPageTitle(title), [title]);
  if (status === 'ended') return <Ended title={title} />;
  return (
    <main className="shared">
      <div className="page-head">
        <h1 dir="auto">{title}</h1>
        <State status={status} updatedAt={updatedAt} />
        <IconButton icon="refresh" label={t('Refresh')} onClick={refresh} />
      </div>
      {tab ? (
        <Cards tab={tab} />
      ) : (
        status === 'loading' && <div className="skeleton shared-waiting" aria-hidden="true" />
      )}
    </main>
  );
}

function State({ status, updatedAt }: Pick<SharedState, 'status' | 'updatedAt'>) {
  const time = new Date(updatedAt);
  const written = time.toLocaleTimeString(LOCALE, { timeStyle: 'medium' });
  const updated =
    updatedAt > 0 && t.nodes('Updated {time}', { time: <time dateTime={time.toISOString()}>{written}</time> });
  return (
    <p className="muted small updated" role="status">
      {status === 'loading' && t('Loading …')}
      {status === 'failed' && (
        <span className="field-error">{t('Not refreshed. It is tried again each minute.')} </span>
      )}
      {updated}
    </p>
  );
}

function Ended({ title }: { title: string }) {
  return (
    <main className="alone">
      <div className="panel padded stack" role="alert">
        <h1>{title}</h1>
        <p>{t('It was revoked, has expired or never was valid. Ask the person who gave it to you for another.')}</p>
      </div>
    </main>
  );
}

function Cards({ tab: { cards, total } }: { tab: SharedTab }) {
  const placed = useMemo(() => arrange(toArrange(cards)), [cards]);
  if (cards.length === 0) return <p className="muted">{t('This dashboard has no cards yet.')}</p>;
  return (
    <>
      <div className="grid">
        {placed.map(({ id, x, y, w, h }) => (
          <Card
            key={id}
            card={cards[Number(id) - 1]!}
            style={{ '--x': x + 1, '--y': y + 1, '--w': w, '--h': h } as CSSProperties}
          />
        ))}
      </div>
      {total > cards.length && (
        <p className="muted small">
          {t('The first {shown} of {total} cards are shown.', { shown: cards.length, total })}
        </p>
      )}
    </>
  );
}

function Card({ card, style }: { card: SharedCard; style: CSSProperties }) {
  const { title, cardType, answer } = card;
  const id = useId();
  const [isTable, setTable] = useState(false);
  const rendered = useMemo(() => answer && { card: { title, cardType }, ...answer }, [answer, title, cardType]);
  return (
    <section className="card panel" aria-labelledby={id} style={style}>
      <div className="card-head">
        <h2 id={id} dir="auto" title={title}>
          <span className="clamped">{title}</span>
        </h2>
        {rendered && (
          <IconButton
            icon="table"
            className="button quiet icon"
            aria-pressed={isTable}
            label={t('Show {title} as a table', { title })}
            onClick={() => setTable(!isTable)}
          />
        )}
      </div>
      <div className="card-body">
        {!rendered && <p className="muted">{t('This card cannot be shown now.')}</p>}
        {rendered && (isTable ? <DataTable rendered={rendered} /> : <Chart rendered={rendered} />)}
      </div>
      <div className="card-foot muted">{rendered && <p>{basisInWords(rendered.basis, LOCALE)}</p>}</div>
    </section>
  );
}
