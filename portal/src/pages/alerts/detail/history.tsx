import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../api/schemas.ts';
import { CasesLink } from '../../../feed/cases-link.tsx';
import { Deliveries } from '../../../sending/deliveries.tsx';
import { Item, ItemList } from '../../../ui/item-list.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { type Alert, historyQuery } from '../alerts.ts';
import { useValueFormatter } from '../asked.tsx';
import { StateBadge } from '../state-badge.tsx';
import { bucketInWords, bucketOf } from '../words.ts';

/** Changes of the state, and messages with their deliveries. */
export function History({ alert }: { alert: Alert }) {
  const query = useQuery(historyQuery(alert.id));
  if (query.error || !query.data) return <QueryState query={query} what="the history" />;
  const { changes, total, deliveries } = query.data;
  return (
    <div className="halves">
      <section className="stack tight" aria-labelledby="changes">
        <h2 id="changes">Changes</h2>
        {changes.length === 0 && <p className="muted">Its state has not changed yet.</p>}
        {changes.length > 0 && (
          <ItemList label="Changes">
            {changes.map((change) => (
              <ChangeItem key={change.id} alert={alert} change={change} />
            ))}
          </ItemList>
        )}
        {total > changes.length && (
          <p className="small muted">
            The newest {changes.length} of {total.toLocaleString()}.
          </p>
        )}
      </section>
      <section className="stack tight" aria-labelledby="messages">
        <h2 id="messages">Messages</h2>
        <Deliveries deliveries={deliveries} />
      </section>
    </div>
  );
}

function ChangeItem({ alert, change }: { alert: Alert; change: Schemas['AlertChange'] }) {
  const { from, to, at, bucket, value, comparedWith, error, notified, cases } = change;
  const formatted = useValueFormatter(alert);
  return (
    <Item
      title={
        <>
          <StateBadge state={from} /> <span aria-hidden="true">→</span>
          <span className="visually-hidden">became</span> <StateBadge state={to} />
        </>
      }
    >
      {error !== null && <p className="bad-text">{error}</p>}
      {bucket !== null && (
        <p>
          {formatted(value)}
          {comparedWith !== null && `, compared with ${formatted(comparedWith)}`} ·{' '}
          {bucketInWords(bucket, bucketOf(alert))}
        </p>
      )}
      <p className="small muted">
        <Time iso={at} /> · {notified ? 'a message was sent' : 'no message was sent'}
        <CasesLink isInline cases={cases} />
      </p>
    </Item>
  );
}
